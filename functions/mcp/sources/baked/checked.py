"""A file with a checksum for each of its blocks, which is compared before the block is used.

    bytes       the content
    n times u32 the checksum of each block of 4096 bytes of the content; the last block may be shorter

A block is a page of memory, so checking what is read pages in nothing but the checksums. A checksum is the
CRC-32 of the block, seeded with the digest of the registry and the name of the file: a block of another
registry or file does not pass. It detects damage; against an attacker the manifest has digests.

A block is checked once in a process, when it is first read: the files are mapped read-only.
"""

from mmap import mmap
from typing import Final, Self
from zlib import crc32

from sources.baked.errors import RecordDamaged

BLOCK_SHIFT: Final = 12
BLOCK: Final = 1 << BLOCK_SHIFT
CHECKSUM_SIZE: Final = 4


def seed_of(digest: str, name: str) -> int:
    """What the checksums of the file `name` begin with, in the registry with that digest."""
    return crc32(f"{digest} {name}".encode())


class CheckedFile:
    """The content of a baked file. Call `check` for each span before reading it from `content`.

    `checked` has a byte for each block, and one for the end of the file: 1 if it needs no check any more.
    """

    def __init__(self, name: str, data: bytes | mmap, digest: str) -> None:
        blocks = -(-len(data) // (BLOCK + CHECKSUM_SIZE))
        length = max(0, len(data) - CHECKSUM_SIZE * blocks)
        self.content = memoryview(data)[:length]
        self.checked = bytearray(blocks) + b"\1"
        self._data = data
        self._name = name
        self._length = length
        self._seed = seed_of(digest, name)

    @classmethod
    def trusted(cls, data: bytes) -> Self:
        """Content that was made in this process, without checksums."""
        file = cls("", data, "")
        file.content = memoryview(data)
        file.checked = bytearray(b"\1" * (len(data) // BLOCK + 1))
        return file

    def __getitem__(self, span: slice, /) -> bytes:
        begin = span.start or 0
        self.check(begin, span.stop)
        return self._data[begin : span.stop]

    def check(self, begin: int, end: int) -> None:
        """Compare the checksums of the blocks from `begin` to before `end`, if that is not done yet.

        Raises:
            RecordDamaged: one of them is not as it was baked.
        """
        for block in range(begin >> BLOCK_SHIFT, (end - 1 >> BLOCK_SHIFT) + 1):
            if not self.checked[block]:
                self._check_block(block)

    def _check_block(self, block: int) -> None:
        begin, stored_at = block << BLOCK_SHIFT, self._length + CHECKSUM_SIZE * block
        stored = int.from_bytes(self._data[stored_at : stored_at + CHECKSUM_SIZE], "little")
        if crc32(self.content[begin : begin + BLOCK], self._seed) != stored:
            raise RecordDamaged(self._name, offset=begin)
        self.checked[block] = 1
