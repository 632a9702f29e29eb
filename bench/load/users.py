"""Locust's users: `python -m bench.load.users` with a job on standard input; the last line of output is JSON.

A process of its own, since Locust patches the standard library. A request waits for a free environment or
connection first, as Lambda lets each environment serve one at a time; that wait is not part of its time.
"""

# Before all others: Locust patches the standard library for its light threads.
from locust import User  # isort: skip
from locust.env import Environment  # isort: skip
import gevent  # isort: skip

import http.client
import json
import sys
from collections import defaultdict
from collections.abc import Callable
from queue import Queue
from time import perf_counter
from typing import Any, Final
from urllib.parse import urlsplit

from bench.load.visits import Books, Reply, Visits, Wrong
from bench.serving.events import queries
from bench.serving.ratios import percentile

_INVOKE: Final = "/2015-03-31/functions/function/invocations"
_TIMEOUT_SECONDS: Final = 60
_MESSAGES_SHOWN: Final = 5


class Connections:
    """Connections to emulators (`ports` of the job) or a server (`url`), each for one request at a time."""

    def __init__(self, environment: Environment, job: dict[str, Any]) -> None:
        self._fire: Callable[..., None] = environment.events.request.fire
        self._exchange = _invoked if "ports" in job else _requested
        places = [f"127.0.0.1:{port}" for port in job.get("ports", ())]
        places = places or [urlsplit(job["url"]).netloc] * job["users"]
        self._free: Queue[http.client.HTTPConnection] = Queue()
        for place in places:
            self._free.put(http.client.HTTPConnection(place, timeout=_TIMEOUT_SECONDS))

    def send(self, kind: str, event: dict[str, Any]) -> Reply:
        """The reply to an event, or to the request that it stands for."""
        connection = self._free.get()
        began = perf_counter()
        fault: Exception | None = None
        reply = Reply(0, {}, "")
        try:
            reply = self._exchange(connection, event)
        except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
            connection.close()
            fault = error
        finally:
            milliseconds = (perf_counter() - began) * 1000
            self._free.put(connection)
        self._fire(
            request_type="MCP",
            name=kind,
            response_time=milliseconds,
            response_length=len(reply.body),
            exception=fault,
            context={},
        )
        if fault is not None:
            raise Wrong(repr(fault))
        return reply


def _invoked(connection: http.client.HTTPConnection, event: dict[str, Any]) -> Reply:
    connection.request("POST", _INVOKE, json.dumps(event))
    reply = json.loads(connection.getresponse().read())
    headers = {name.lower(): value for name, value in reply["headers"].items()}
    return Reply(reply["statusCode"], headers, reply["body"])


def _requested(connection: http.client.HTTPConnection, event: dict[str, Any]) -> Reply:
    method = event["requestContext"]["http"]["method"]
    headers = {name: value for name, value in event["headers"].items() if name != "host"}
    connection.request(method, event["rawPath"], event.get("body"), headers)
    response = connection.getresponse()
    found = {name.lower(): value for name, value in response.getheaders()}
    reply = Reply(response.status, found, response.read().decode())
    connection.close()  # a server may close one that it kept just when the next request comes
    return reply


class Load:
    """The users of one job, what they have done, and what went wrong."""

    def __init__(self, job: dict[str, Any]) -> None:
        self._job = job
        self._wrong: list[str] = []
        self._times: dict[str, list[float]] = defaultdict(list)
        self._books = Books()
        self._environment = Environment()
        self._environment.stop_timeout = _TIMEOUT_SECONDS  # a visit is finished, or the books are wrong
        self._environment.events.request.add_listener(self._note)
        connections = Connections(self._environment, job)
        self._left = job["requests"]
        self.visits = Visits(connections.send, self._books, queries(), bare=job.get("bare", False))
        self._environment.user_classes = [_user(self, sessions=job["sessions"])]

    def run(self) -> dict[str, Any]:
        """What the users have done once they have sent the requests of the job."""
        runner = self._environment.create_local_runner()
        runner.start(self._job["users"], spawn_rate=self._job["users"])
        runner.greenlet.join()
        self.attempt(self.visits.look_up)
        return {
            "requests": sum(map(len, self._times.values())),
            "wrong": len(self._wrong),
            "first_wrong": self._wrong[:_MESSAGES_SHOWN],
            "open": self._books.open,
            "ended": self._books.ended,
            "milliseconds": {
                kind: {"p50": round(percentile(times, 0.5), 2), "p99": round(percentile(times, 0.99), 2)}
                for kind, times in sorted(self._times.items())
            },
        }

    def attempt(self, visit: Callable[[], None]) -> None:
        """Make a visit; whatever is wrong with it is noted."""
        try:
            visit()
        except Exception as wrong:  # whatever a reply is, the load goes on
            self._wrong.append(repr(wrong))

    def _note(self, *, name: str, response_time: float, **_: object) -> None:
        self._times[name].append(response_time)
        self._left -= 1
        if self._left == 0 and self._environment.runner is not None:
            gevent.spawn(self._environment.runner.quit)  # it waits for this user too


def _user(load: Load, *, sessions: bool) -> type:
    """The class of users, with the weights of their visits."""
    visits = load.visits
    weights = {visits.modern: 2, visits.in_new_session: 1, visits.in_old_session: 1}

    def task_of(visit: Callable[[], None]) -> Callable[[User], None]:
        return lambda _: load.attempt(visit)

    tasks = {
        task_of(visit): weight for visit, weight in weights.items() if sessions or visit == visits.modern
    }
    return type("Visitor", (User,), {"tasks": tasks})


if __name__ == "__main__":
    print(json.dumps(Load(json.loads(sys.stdin.readline())).run()))
