"""How hypothesis looks for counterexamples: at the same ones each time, so that CI does not flicker.

`HYPOTHESIS_PROFILE=exploring PROPERTIES_TIMES=10 pytest tests/properties` looks at others, and at more.
"""

import os

from hypothesis import settings

settings.register_profile("bounded", derandomize=True, database=None, deadline=None, print_blob=True)
settings.register_profile("exploring", database=None, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "bounded"))
