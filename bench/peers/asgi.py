"""An ASGI application as a Lambda handler, started once for each execution environment.

By default Mangum starts and stops the application around every event. The SDK's session manager forbids that,
and it would take most of a request's time.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from mangum import Mangum  # type: ignore[import-not-found]  # is only where the benchmark runs it


def as_lambda_handler(app: Any) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """A handler for `app`, a Starlette application, whose lifespan is started."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    begun = asyncio.Event()

    async def live() -> None:
        async with app.router.lifespan_context(app):
            begun.set()
            await asyncio.Event().wait()

    living = loop.create_task(live())
    loop.run_until_complete(begun.wait())
    mangum = Mangum(app, lifespan="off")

    def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
        if living.done():
            living.result()
        reply: dict[str, Any] = mangum(event, context)
        return reply

    return lambda_handler
