"""Apply Overlay documents to the contract: what a deployment shows or a person knows, before anything is generated.

An Overlay document (Overlay Specification 1.0 or 1.1) is a list of actions: each selects places of openapi.yaml by a
JSONPath, and updates or removes what is there. `document` reads and checks one, `targets` finds the places, `tree`
holds the contract with the origin of each node, `action` applies one action, `judgement` compares it with what the
contract states, `credentials` refuses a kind of credential that is named twice, and `applied` puts these together:
its result is a `Source`, whose findings name the action that caused them. `text` writes it as a file.
"""

from codegen.overlay_document.applied import Applied, apply_overlays
from codegen.overlay_document.document import OverlayDocument, read_overlays

__all__ = ("Applied", "OverlayDocument", "apply_overlays", "read_overlays")
