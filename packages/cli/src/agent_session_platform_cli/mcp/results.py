"""Results and errors of a tool, as an assistant reads them."""

from __future__ import annotations

from typing import Any, cast

from mcp.types import CallToolResult, TextContent

from ..errors import document_of, sentence_of
from ..exit_codes import exit_code_of
from .bounds import bounded, to_text


def succeeded(value: Any) -> CallToolResult:
    """Return the result of a call.

    Its structured content is the JSON as the server sent it, `{"result": ...}` where that is no object, because the
    protocol takes objects only. The text is the same: many clients show nothing else to their model.
    """
    kept = bounded(value)
    structured = cast("dict[str, Any]", kept) if isinstance(kept, dict) else {"result": kept}
    return CallToolResult(content=[TextContent(type="text", text=to_text(kept))], structured_content=structured)


def failed(error: Exception) -> CallToolResult:
    """Return an error of a call: one sentence, and the problem detail of the server, if there is one."""
    document = document_of(error, exit_code_of(error))
    # The process goes on.
    del document["exit_code"]
    return CallToolResult(
        content=[TextContent(type="text", text=sentence_of(error))],
        structured_content=bounded(document),
        is_error=True,
    )
