"""What the protocol demands, sentence by sentence, and where it says so.

A test names those that it proves with `@pytest.mark.requirement("id")`; `test_requirements.py` compares both.
To serve something new, write its sentence here first.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = ["BY_SOURCE", "REQUIREMENTS", "Requirement"]


class Requirement(NamedTuple):
    """A behaviour: its sentence, and the version, page and section of the specification that demands it."""

    source: str
    sentence: str


BY_SOURCE: Final[Mapping[str, Mapping[str, str]]] = {
    "JSON-RPC 2.0, 4 and 5": {
        "jsonrpc-parse-error": "A body that is not JSON in UTF-8 is a parse error.",
        "jsonrpc-invalid-request": "JSON that is not a message is an invalid request.",
        "jsonrpc-unreadable-id": "An id that cannot be read is null in the answer; 2026-07-28 leaves it out.",
        "jsonrpc-notification-silence": "A notification is never answered by a response.",
        "jsonrpc-extra-members": "Unknown members are ignored.",
        "jsonrpc-no-answer-to-answers": "A response is never answered under its own id.",
    },
    "2026-07-28 basic/index, Requests": {
        "id-echoed": "A response has the id of its request, in value and type.",
        "params-object": "Params that are not an object are refused under the request's id.",
    },
    "2025-03-26 basic/index, Batching": {
        "batch-refused": "A batch is refused in every version, which this server does not support.",
    },
    "2026-07-28 basic/index, _meta": {
        "meta-required": "Without version or client capabilities it is 400 and -32602.",
        "meta-client-info-optional": "Client info is never required.",
        "meta-names": "Names that a tool gives have a prefix, and none that is reserved for the protocol.",
    },
    "2026-07-28 basic/index, Responses": {
        "result-type": "Every result has a resultType and the server's info.",
        "legacy-results-bare": "Results of older versions have no members of 2026-07-28.",
        "one-line": "A message is one line of JSON.",
    },
    "2026-07-28 basic/index, Error Codes": {
        "error-codes": "Each error has its code and its status in each era.",
        "error-data": "An error carries what a client can act on.",
        "error-schema": "An error is valid by the version's schema.",
        "error-internals-hidden": "An error shows nothing of the server's internals.",
    },
    "2026-07-28 basic/index, JSON Schema Usage": {
        "schema-verbatim": "A schema written by hand is listed unchanged.",
        "schema-2020-12": "It is enforced as JSON Schema 2020-12.",
        "schema-dialect-and-references": "Other dialects and references to other documents are refused.",
        "schema-bounded-depth": "JSON is read up to a limit of nesting.",
    },
    "2026-07-28 basic/versioning, Protocol Version Negotiation": {
        "version-unsupported": "An unsupported version is -32022, with the list of those supported.",
        "version-list": "The versions of both eras are listed, newest first.",
    },
    "2026-07-28 basic/versioning, Backward Compatibility with Initialization-Based Versions": {
        "era-by-opening": "The way a client opens decides the era of each request.",
        "eras-side-by-side": "Both eras are served on one endpoint at one time.",
        "initialize-gone": "A modern initialize is an unknown method, whose error names the versions.",
    },
    "2025-11-25 basic/lifecycle, Initialization": {
        "initialize-params": "An initialize that leaves something out is -32602.",
        "initialize-first": "A request before it is refused: the client must initialize first.",
        "initialized-not-waited-for": "A request may follow the answer at once.",
    },
    "2025-11-25 basic/lifecycle, Version Negotiation": {
        "version-agreed": "The requested version is negotiated if supported, else the latest one.",
        "version-never-stateless": "A handshake never negotiates 2026-07-28.",
    },
    "2025-11-25 basic/lifecycle, Capability Negotiation": {
        "capabilities-derived": "Capabilities are those of what is registered, as the version names them.",
        "capabilities-not-offered": "A method whose capability is not offered does not exist.",
        "capabilities-of-the-handshake": "In a session they are the handshake's, whatever a request says.",
    },
    "2025-11-25 basic/utilities/ping": {
        "ping": "Ping is answered by exactly an empty object.",
        "ping-before-initialize": "It needs no session.",
    },
    "2026-07-28 server/discover": {
        "discover": "It names every version and the capabilities.",
        "discover-cached": "It has instructions where there are some, and the cache hint.",
        "no-changes-promised": "No version is promised notifications of changed lists.",
    },
    "2025-11-25 basic/transports, Session Management": {
        "session-minted": "An initialize opens a session and names it in a header.",
        "session-id-unguessable": "Its id is long, visible ASCII, and never the same.",
        "session-missing": "A request without its id is 400.",
        "session-unknown": "A request in an unknown, expired or ended one is 404.",
        "session-ended": "DELETE ends it, once.",
        "session-anew": "A client may initialize again, whatever id it still carries.",
    },
    "2025-11-25 docs/tutorials/security/security_best_practices, Session Hijacking": {
        "session-apart": "A session can neither read nor answer anything of another.",
    },
    "2025-11-25 basic/transports, Protocol Version Header": {
        "version-header-unknown": "An unknown version in the header is 400.",
        "version-header-of-a-session": "Without one, or with another legacy one, the session's counts.",
    },
    "2025-11-25 basic/transports, Sending Messages": {
        "notification-accepted": "A notification is accepted with 202 and no body.",
        "response-accepted": "A response to a question is accepted with 202 and no body.",
        "response-unasked": "A response to no question is 400, without an id.",
        "refusal-form": "What is refused before its message is read gets an error response without an id.",
        "answer-form": "The answer is JSON, or events where only events are accepted.",
        "stream-primed": "A stream that ends early begins with an id, empty data and a retry time.",
        "stream-whole-without-ids": "A complete body has events without ids.",
    },
    "2025-11-25 basic/transports, Listening for Messages from the Server": {
        "get-refused": "A GET that resumes nothing is 405 and names the allowed methods.",
    },
    "2025-11-25 basic/transports, Resumability and Redelivery": {
        "resume": "A GET with the last event id gets what follows it.",
        "resume-replay": "What was sent can be fetched again, without another run.",
        "resume-unknown": "An event that was never sent resumes nothing.",
        "resume-finished": "A stream that was read to its end is 405.",
        "resume-poll": "A poll without events has an id of its own and a retry time.",
        "resume-event-ids": "An event id names its stream and its position in it.",
        "resume-race": "Of two clients that resume at once one runs the handler.",
    },
    "2026-07-28 basic/transports/streamable-http, Security & Endpoint": {
        "origin": "An Origin that is not allowed is 403.",
        "host": "A Host that is not served is 403.",
        "cors": "A page of an allowed origin may send requests and read the answers.",
    },
    "2026-07-28 basic/transports/streamable-http, Sending Messages": {
        "content-type": "A body that is not declared as JSON is 415.",
        "content-coding": "A body with a content coding is 415.",
        "accept": "An Accept that allows neither form is 406.",
        "body-limit": "A body over the limit is 413.",
        "modern-notification": "A notification of 2026-07-28 is accepted with 202.",
        "stateless": "A request of 2026-07-28 uses no store and gets no session.",
    },
    "2026-07-28 basic/transports/streamable-http, Earlier Streamable HTTP Revisions": {
        "modern-post-only": "GET and DELETE of 2026-07-28 are 405.",
    },
    "2026-07-28 basic/transports/streamable-http, Protocol Version Header": {
        "version-header": "It is required, and repeats the version of the body.",
        "method-not-found": "A method that the modern era lacks is 404 and -32601.",
    },
    "2026-07-28 basic/transports/streamable-http, Standard Request Headers": {
        "method-header": "Mcp-Method repeats the method, case included.",
        "name-header": "Mcp-Name repeats the name or the URI.",
        "name-header-elsewhere": "A method that names nothing needs none.",
        "header-names-any-case": "Names of headers are matched in any case.",
    },
    "2026-07-28 basic/transports/streamable-http, Value Encoding": {
        "header-base64": "A value in the Base64 form is decoded strictly, then compared.",
    },
    "2026-07-28 basic/transports/streamable-http, Custom Headers from Tool Parameters": {
        "param-header": "Mcp-Param-* repeats its argument, or the request is -32020.",
        "param-header-legacy": "Requests of older versions need none.",
    },
    "2026-07-28 basic/transports/streamable-http, Server Validation": {
        "ladder": "Metadata comes before headers, headers before the version, all before the params.",
    },
    "2026-07-28 basic/transports/streamable-http, Receiving Messages": {
        "events-of-this-request": "Notifications of a request come before its response, in one body.",
        "no-server-requests": "The body of a modern answer has no request of the server.",
    },
    "2026-07-28 basic/transports/stdio": {
        "stdio-messages-only": "Nothing but messages goes to stdout.",
        "stdio-lines": "A message is a line; an invalid one is answered by an error.",
        "stdio-shutdown": "It ends when stdin is closed.",
    },
    "2026-07-28 server/tools, Tool Names": {
        "tool-name": "A name has 1 to 128 letters, digits, hyphens, underscores and dots.",
        "tool-name-unique": "No two tools have the same name.",
    },
    "2026-07-28 server/tools, Listing Tools": {
        "tools-order": "Tools are always listed in the same order.",
        "tool-members": "A tool has the members that its version has.",
        "tool-input-schema": "Its input schema is an object's.",
        "tool-annotations": "A hint that is set is listed.",
        "tool-icons": "Icons are listed since 2025-11-25.",
    },
    "2026-07-28 server/tools, Calling Tools": {
        "call-arguments-absent": "Arguments may be left out.",
        "call-params-extra": "Other members of the params are ignored.",
        "call-async": "A coroutine is awaited.",
        "call-deadline": "A tool that exceeds its time is an error, before the gateway's timeout.",
    },
    "2026-07-28 server/tools, Error Handling": {
        "tool-unknown": "An unknown tool is -32602 in every revision.",
        "tool-arguments-no-object": "Arguments that are not an object are -32602.",
        "tool-arguments-wrong": "Arguments that break the schema are a tool error since 2025-11-25.",
        "tool-arguments-wrong-before": "Before, they are -32602.",
        "tool-error": "A tool error is a result with isError.",
        "tool-fault": "So is an exception in a tool; the result does not show its cause.",
    },
    "2026-07-28 server/tools, Tool Result": {
        "content-always": "There is an array of content, even if it is empty.",
        "content-blocks": "Blocks keep their order; blocks that a version lacks are sent as text.",
        "structured-content": "An object is structured content since 2025-06-18.",
        "structured-any-json": "Other JSON is too; before 2026-07-28 it is the member of an object.",
        "structured-as-text": "It is repeated as JSON in a text block.",
    },
    "2026-07-28 server/tools, Output Schema": {
        "output-schema-listed": "It is listed in the versions that have structured content.",
        "output-schema-kept": "A result that breaks it is never sent.",
    },
    "2026-07-28 server/tools, x-mcp-header": {
        "header-declared": "An invalid declaration is refused at build.",
        "header-nested": "A header is found by its name, with the path of its argument.",
    },
    "2026-07-28 server/resources, Listing Resources": {
        "resources-listed": "Fixed resources come first, then the instances of templates.",
        "resource-members": "A listed resource has the members that its version has.",
    },
    "2026-07-28 server/resources, Resource Templates": {
        "templates-listed": "Templates are listed apart.",
        "templates-matched": "A URI that matches gives each variable its decoded value.",
    },
    "2026-07-28 server/resources, Reading Resources": {
        "resource-read": "A resource is read under its URI, listed or not.",
        "resource-contents": "Contents are text or a blob.",
    },
    "2026-07-28 server/resources, Error Handling": {
        "resource-missing": "An unknown URI is -32602 with the URI, never empty contents.",
        "resource-uri": "A URI that is not a string is -32602.",
    },
    "2025-11-25 server/resources, Error Handling": {
        "resource-missing-before": "An unknown URI is -32002 with the URI.",
    },
    "2026-07-28 basic/patterns/subscriptions": {
        "listen": "A subscription is acknowledged for nothing, under the id of its request, and then ended.",
    },
    "2025-11-25 server/resources, Subscriptions": {
        "subscribe": "Subscribing and its end are answered by an empty object, however often.",
        "subscribe-offered": "They exist only if the server is created with subscriptions.",
    },
    "2026-07-28 server/prompts, Listing Prompts": {
        "prompts-listed": "A prompt has the members that its version has.",
    },
    "2026-07-28 server/prompts, Getting a Prompt": {
        "prompt-arguments": "Arguments are passed on, and missing ones have their defaults.",
        "prompt-messages": "Messages keep their roles, and each has one block.",
    },
    "2026-07-28 server/prompts, Error Handling": {
        "prompt-invalid": "An unknown prompt, a missing argument or one that is not a string is -32602.",
        "prompt-fault": "A prompt that fails is -32603.",
    },
    "2026-07-28 server/utilities/completion": {
        "completion": "Values are completed from what was typed and the arguments so far.",
        "completion-hundred": "At most a hundred values are sent, with their total.",
        "completion-invalid": "An unknown reference or argument is -32602.",
        "completion-since": "2024-11-05 has the method, and no capability for it.",
    },
    "2026-07-28 server/utilities/pagination": {
        "pages": "Following the cursors gives every item once.",
        "page-bytes": "A page ends before a megabyte, after one item at least.",
        "pages-end": "A list that fits on a page has no cursor.",
        "cursor-empty": "A cursor counts even when it is empty.",
        "cursor-stateless": "A cursor is the same on every instance.",
        "list-empty": "An empty list is an array.",
    },
    "2026-07-28 server/utilities/pagination, Error Handling": {
        "cursor-invalid": "A cursor that the server did not issue is -32602.",
        "cursor-of-another-list": "So is one of another list.",
    },
    "2026-07-28 server/utilities/caching, Cacheable Results": {
        "cache-hint": "Lists have a lifetime and a scope, the same on every page.",
        "cache-zero": "The lifetime may be zero.",
    },
    "2025-11-25 server/utilities/logging": {
        "log-level-set": "Setting a level is answered by exactly an empty object, and stored.",
        "log-level-invalid": "An unknown level is -32602.",
        "log-at-or-above": "A session gets messages of its level and above.",
    },
    "2026-07-28 server/utilities/logging, Requesting Log Messages": {
        "log-asked-for": "A request gets messages of the level it asks for and above.",
        "log-not-asked-for": "A request that asks for no level gets none.",
        "log-asked-for-nonsense": "An unknown level is -32602.",
    },
    "2026-07-28 server/utilities/logging, Capabilities": {
        "log-declared": "A server that does not declare logging sends no messages.",
    },
    "2026-07-28 basic/patterns/progress, Behavior Requirements": {
        "progress-token": "Progress has the token, in the type it was sent in.",
        "progress-unasked": "Without a token no progress is sent.",
        "progress-rises": "It increases with every notification.",
        "progress-message": "It has a message since 2025-03-26.",
        "progress-once": "A notification before a question is sent once.",
    },
    "2025-11-25 basic/utilities/cancellation": {
        "cancel": "A cancelled call can be neither answered nor resumed.",
        "cancel-unknown": "Cancelling an unknown request is accepted and changes nothing.",
    },
    "2026-07-28 basic/patterns/cancellation, Transport-Specific Cancellation": {
        "cancel-stdio": "Over stdio a cancelled request does not block the next one.",
    },
    "2026-07-28 basic/patterns/mrtr": {
        "mrtr-asked": "The first run returns its questions and a state, without cache hints.",
        "mrtr-rounds": "Each round asks for what is missing, until the request is answered.",
        "mrtr-methods": "Three methods may ask, and no other.",
        "mrtr-declared-only": "Only what this request's client declares is asked.",
        "mrtr-missing-capability": "A client that cannot be asked gets -32021 with the missing capabilities.",
        "mrtr-answers-object": "Answers that are not an object are -32602.",
        "mrtr-answers-unknown": "Answers to questions that were not asked are ignored.",
        "mrtr-answers-missing": "A missing answer is asked for again.",
        "mrtr-answers-unfit": "An answer that does not fit its question is -32602.",
        "mrtr-several": "Several questions are asked at once.",
        "state-forged": "A state that was changed is refused.",
        "state-trailing": "So is one with something after it.",
        "state-bound": "It is bound to method, params and principal.",
        "state-expires": "It expires.",
        "state-keys": "Any of the keys opens it, on any instance.",
    },
    "2026-07-28 client/elicitation": {
        "elicit-request": "A question is a request of the protocol.",
        "elicit-actions": "Accept, decline and cancel are answers.",
        "elicit-checked": "An accepted form fits its schema.",
        "elicit-modes": "A bare elicitation means forms; other modes and kinds must be declared.",
    },
    "2025-11-25 client/elicitation, URL Mode": {
        "elicit-url": "The id of a page to visit is the id of its question.",
    },
    "2025-11-25 client/sampling and client/roots": {
        "ask-refused": "An error instead of an answer is raised to the handler.",
        "ask-legacy-capability": "A client that lacks the capability is not asked; the tool result says so.",
        "ask-answer-twice": "The first answer counts; a second or late one is accepted and ignored.",
    },
    "2025-06-18 basic/transports, Sending Messages": {
        "ask-older": "Clients that would not resume are not asked.",
    },
    "2025-11-25 basic/utilities/tasks, Task Support and Handling": {
        "task-ignored": "A task is ignored where tasks are not declared.",
    },
    "2026-07-28 basic/authorization, Error Handling": {
        "authorization-401": "Without a valid token it is 401, on POST, GET and DELETE alike.",
        "authorization-challenge": "A challenge names metadata, scopes and error.",
        "authorization-malformed": "A header that cannot be read is 400.",
    },
    "2026-07-28 basic/authorization, Token Handling": {
        "token-header-only": "A token is taken from the Authorization header alone.",
        "token-audience": "A token for another audience is refused.",
        "token-issuer": "So is one of another issuer, one that has expired, and one with another signature.",
    },
    "2026-07-28 basic/authorization, Scope Challenge Handling": {
        "scope-403": "A missing scope is 403, with all scopes that the request needs.",
        "scope-hierarchy": "A scope that includes another is enough.",
    },
    "2026-07-28 basic/authorization/authorization-server-discovery": {
        "protected-resource-metadata": "The metadata names the resource, its issuers and scopes.",
        "metadata-places": "It is at both well-known places, for everybody.",
    },
    "2026-07-28 schema.ts": {
        "schema-valid-session": "Replies to any sequence of messages are valid by the official types.",
        "schema-valid-alone": "So are those to any body with any headers.",
    },
}

REQUIREMENTS: Final[Mapping[str, Requirement]] = {
    behaviour: Requirement(source, sentence)
    for source, sentences in BY_SOURCE.items()
    for behaviour, sentence in sentences.items()
}
"""Every behaviour, by its id."""
