"""Read the contract of one deployment: openapi.yaml with the vendor's word and with Overlays."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from codegen.contract.contract import Contract
from codegen.contract.source import Finding, Source, join_names
from codegen.contract.vendor_word import Renaming, VendorWord, word_findings
from codegen.overlay_document import AppliedSource, OverlayDocument, read_overlays


@attrs.frozen
class Deployment:
    """What is known about a deployment, and does not stand in openapi.yaml.

    Attributes:
        word: The vendor's word; None keeps the word of the contract.
        credential_prefix: The prefix of the service user's credential; None keeps the prefix of the contract.
        overlays: The Overlay documents, in the order in which they are applied. They may use the word of the contract
            or `word`.
    """

    word: str | None = None
    credential_prefix: str | None = None
    overlays: Sequence[Path] = ()

    @property
    def has_word(self) -> bool:
        """Whether the word or the prefix differs from that of openapi.yaml."""
        return self.word is not None or self.credential_prefix is not None


@attrs.frozen
class DeploymentContract:
    """The contract of a deployment.

    Attributes:
        contract: The contract, with the word and the Overlays.
        source: The contract with the word, without the Overlays.
        documents: The Overlay documents, with the word.
        renaming: The renaming to the word; None if the word and the prefix are those of openapi.yaml.
    """

    contract: Contract
    source: Source
    documents: Sequence[OverlayDocument]
    renaming: Renaming | None

    def rename_text(self, text: str) -> str:
        """Write the word of the deployment into the identifiers of a text."""
        if self.renaming is None:
            return text
        return self.renaming.rename_text(text)


def read_contract(path: Path, deployment: Deployment) -> DeploymentContract:
    """Read the contract of a deployment. The notices of its Overlays are printed to stderr.

    Args:
        path: openapi.yaml, without word and Overlays.
        deployment: What is known about the deployment.

    Raises:
        RefusedError: The word cannot be used.
        ContractError: The contract or an Overlay is wrong, or an annotation of the word is missing.
    """
    contract = Contract(path)
    source, renaming = contract.source, None
    if deployment.has_word:
        source, renaming = rename_source(source, deployment.word, deployment.credential_prefix)
    documents: list[OverlayDocument] = []
    for overlay in read_overlays(deployment.overlays):
        text = overlay.source.text
        if renaming is not None:
            text = renaming.rename_text(text)
        documents.append(OverlayDocument(overlay.path, text))
    if documents:
        applied = AppliedSource(source, documents)
        contract = Contract(path, applied)
        for notice in (*applied.report(), *optional_body_notices(contract, applied)):
            print(notice, file=sys.stderr)
    elif renaming is not None:
        contract = Contract(path, source)
    return DeploymentContract(contract, source, documents, renaming)


def rename_contract(contract: Contract, word: str | None, credential_prefix: str | None) -> tuple[Contract, Renaming]:
    """Return a contract with the vendor's word, and the renaming; the rest is as for `rename_source`."""
    source, renaming = rename_source(contract.source, word, credential_prefix)
    return Contract(contract.path, source), renaming


def rename_source(source: Source, word: str | None, credential_prefix: str | None) -> tuple[Source, Renaming]:
    """Return the source of a contract with the vendor's word, and the renaming.

    Args:
        source: The source of the contract with its own word.
        word: The vendor's word; None keeps the word of the contract.
        credential_prefix: The prefix of the service user's credential; None keeps the prefix of the contract.

    Raises:
        RefusedError: The word cannot be used.
        ContractError: An annotation of the word is missing.
    """
    renaming = Renaming(VendorWord.read(source), word, credential_prefix)
    source.refuse(word_findings(source))
    return Source(Path(source.name), renaming.rename_contract(source.text)), renaming


def optional_body_notices(contract: Contract, applied: AppliedSource) -> Iterator[str]:
    """Yield a notice for each member that an Overlay requires in a body that need not be sent.

    Args:
        contract: The contract with the Overlays.
        applied: Its source.
    """
    for operation in contract.operations.values():
        body = operation.request
        if body is None or body.required:
            continue
        place = body.schema.get("$ref", body.place)
        required = contract.flatten(body.schema).get("required", ())
        written = applied.origin(f"{place}/required")
        if required and written is not None:
            source, where = written
            names = join_names(required)
            text = f"{operation.name} need not have a body, so {names} stays an optional argument"
            way_out = f"add `required: true` to the requestBody of {operation.id} if it must be sent"
            yield source.describe(Finding(where, f"{text}; {way_out}"))
