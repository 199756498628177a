"""All limits of a body: to change one, change it here.

The last two are only defaults; `docs/pages/explanation/call.md` lists all of them, too.
"""

from __future__ import annotations

from typing import Final

# Bytes of an error's body that are read.
MAX_ERROR_BODY = 1024 * 1024

# Bytes of an error's body that are parsed as a problem detail; of a larger one as many characters are kept as text.
MAX_PARSED_ERROR_BODY = 64 * 1024

# Characters of a body that a DecodeError keeps. This many more are decoded, so that a credential at the cut is redacted
# as a whole.
MAX_BODY_TEXT = 4096

# Bytes that are decompressed at a time: a few bytes may expand to gigabytes.
MAX_PIECE = 1024 * 1024

# Levels of arrays and objects. A value that is nested deeper can be parsed, but not copied, shown or pickled.
MAX_DEPTH = 100

# Bytes of a success, after decompression: `AgentPlatform(max_body=...)`.
DEFAULT_MAX_BODY = 16 * 1024 * 1024

# Bytes of a file that is streamed or saved: `max_bytes=` of a download.
DEFAULT_MAX_BYTES: Final[int | None] = 10 * 1024**3
