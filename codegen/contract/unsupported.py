"""Refuse what OpenAPI allows at an operation, and what the SDK would not do as declared."""

from __future__ import annotations

from codegen.contract.document import Document
from codegen.contract.nodes import ContractError, Node


def refuse_unsupported(contract: Document, place: str, item: Node, node: Node) -> None:
    """Raise ContractError if an operation has another address than the contract, or takes anything but a bearer token.

    Args:
        contract: The contract.
        place: The JSON pointer of the operation.
        item: The path item.
        node: The operation.
    """
    if "servers" in item or "servers" in node:
        raise ContractError("`servers` of an operation; the SDK sends every request to one address, so leave it out")
    for status in node["responses"]:
        if str(status).startswith("3"):
            raise ContractError(
                f"{place}/responses/{status}: the SDK follows no redirect, and raises an error for one: leave "
                "it out, or write the status of what the caller gets"
            )
    schemes: Node = contract.document["components"].get("securitySchemes", {})
    for entry in node.get("security", ()):
        if len(entry) > 1:
            kinds = " and ".join(entry)
            raise ContractError(
                f"`security` requires {kinds} together; the SDK sends one credential: one entry for each"
            )
        for kind in entry:
            scheme = contract.resolve(schemes.get(kind, {}))
            is_bearer = (
                scheme.get("type") in ("oauth2", "openIdConnect") or scheme.get("scheme", "").lower() == "bearer"
            )
            if scheme and not is_bearer:
                raise ContractError(
                    f"the credential {kind} is of the type {scheme['type']}; the SDK sends bearer tokens"
                )
