"""The composition root of the product: `lambda_handler`, put together once per cold start."""

from typing import Final

from mcpcore_aws import DryRequest, LambdaAdapter
from sources.catalog import open_server
from sources.settings import read_settings

# A misspelt query loads the spelling comparison, and a wrong argument pydantic: one request for each.
_DRY_REQUESTS: Final = (
    DryRequest("tools/list"),
    *(
        DryRequest("tools/call", {"name": "get_sources", "arguments": {"query": query}})
        for query in ("learn rust", "lern ruts progrmming", 5)
    ),
)

lambda_handler: Final = LambdaAdapter.from_environment(
    open_server, settings=read_settings, dry_requests=_DRY_REQUESTS
)
