"""Response bodies in gzip (RFC 1952), for clients that accept it.

A constant result is compressed once. The rest of its response, the id above all, differs from request to
request; it is put before and after the compressed result in blocks that deflate stores uncompressed, so that
the body is one gzip member: some clients read no second one.
"""

import zlib
from typing import Final

from mcpcore.definitions.built import BuiltServer
from mcpcore.http.messages import HttpResponse
from mcpcore.request.outcome import Completed, Outcome

__all__ = ["Compressor"]

# The best ratio, except where it would take a noticeable part of the time that is left: level 6 takes four
# times as long as level 1 and saves a sixth.
_LEVEL: Final = 6
_LEVEL_OF_LARGE: Final = 1
_LARGE_BYTES: Final = 65_536

_GZIP: Final = 16 + zlib.MAX_WBITS
_RAW: Final = -zlib.MAX_WBITS
# No name, no time, no flags; an unknown operating system.
_HEADER: Final = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_MAX_STORED_BYTES: Final = 65_535
_LIMIT_OF_SIZE: Final = 2**32


class Compressor:
    """Compresses the responses of one server. Several threads may use it at once."""

    def __init__(self, server: BuiltServer) -> None:
        self._constants = server.constants
        self._deflated: dict[tuple[str, str], bytes] = {}

    def compressed(self, response: HttpResponse, outcome: Outcome) -> HttpResponse:
        """`response`, which carries `outcome`, with its body in gzip."""
        body = self._around_constant(response.body, outcome) or _compressed(response.body)
        vary = ", ".join(filter(None, [response.headers.get("vary"), "Accept-Encoding"]))
        headers = {**response.headers, "content-encoding": "gzip", "vary": vary}
        return HttpResponse(response.status, headers, body)

    def _around_constant(self, body: bytes, outcome: Outcome) -> bytes | None:
        """`body` in gzip if its result is a constant."""
        name, reply = (outcome.record.version, outcome.record.method), outcome.reply
        constant = self._constants.get(name)
        if constant is None or not isinstance(reply, Completed) or reply.result is not constant:
            return None
        before, _, after = body.partition(constant)
        if max(len(before), len(after)) > _MAX_STORED_BYTES:
            return None
        if name not in self._deflated:
            self._deflated[name] = _deflated(constant)
        trailer = zlib.crc32(body).to_bytes(4, "little") + (len(body) % _LIMIT_OF_SIZE).to_bytes(4, "little")
        return b"".join([_HEADER, _stored(before), self._deflated[name], _stored(after, last=True), trailer])


def _compressed(body: bytes) -> bytes:
    level = _LEVEL if len(body) <= _LARGE_BYTES else _LEVEL_OF_LARGE
    stream = zlib.compressobj(level, zlib.DEFLATED, _GZIP)
    return stream.compress(body) + stream.flush()


def _deflated(constant: bytes) -> bytes:
    """`constant` as blocks of deflate that end on a byte and refer to nothing before them."""
    stream = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, _RAW)
    return stream.compress(constant) + stream.flush(zlib.Z_SYNC_FLUSH)


def _stored(text: bytes, *, last: bool = False) -> bytes:
    """`text` as one uncompressed block of deflate (RFC 1951, section 3.2.4)."""
    size = len(text)
    return b"%c%b%b%b" % (last, size.to_bytes(2, "little"), (~size & 0xFFFF).to_bytes(2, "little"), text)
