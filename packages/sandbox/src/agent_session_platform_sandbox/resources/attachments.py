"""Attachments: files that are uploaded and downloaded unchanged."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from ..assumptions import Assumptions
from ..handlers import Call, Handler, Reply
from ..problems import invalid
from ..state import find


def upload(call: Call) -> Reply:
    """Keep the part `file` of a form."""
    file: Any = call.body.get("file")
    if not isinstance(file, dict):
        raise invalid((["body", "file"], "Field required", "missing"))
    part = cast("dict[str, Any]", file)
    name: str = part["name"]
    # The same in every run.
    uuid = str(uuid5(NAMESPACE_URL, call.state.new_id("attachment")))
    url = f"/v3/organizations/{call.org_id}/attachments/{uuid}/{quote(name, safe='')}"
    fields: dict[str, Any] = {"uuid": uuid, "name": name, "url": url}
    call.state.add(call.state.collection("attachments", call.org_id), f"{uuid}/{name}", fields)
    call.state.files[uuid] = part["content"]
    return Reply(fields)


def download(call: Call) -> Reply:
    """Return an uploaded file."""
    uuid, name = call.path["uuid"], call.path["name"]
    find(call.state.collection("attachments", call.org_id), f"{uuid}/{name}", "attachment")
    return Reply(call.state.files[uuid])


ASSUMPTIONS: Assumptions = {
    "attachment-upload-request": "A multipart form with a part `file`.",
    "attachment-upload-response": "200 with `uuid`, `name` and `url`, a path.",
    "attachment-download-response": (
        "200 with the bytes that were uploaded, a strong ETag and `Accept-Ranges: bytes`. A Range of one range is "
        "answered with 206, or with 416 behind the end of the file, and with the whole file if If-Range does not fit."
    ),
}

HANDLERS: dict[str, Handler] = {"download_organization_attachment": download, "upload_organization_attachment": upload}
