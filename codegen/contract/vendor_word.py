"""Replace the vendor's word in the identifiers that contain it, and never in prose.

The real identifiers of the API contain the vendor's name. The API's description has a neutral word in its place, and a
neutral prefix for the credential of a service user. The contract declares the word and the prefix in `x-vendor`. It
annotates every identifier that contains one of them with `x-vendor-word`. A renaming keeps the form of the word: lower
case, CamelCase or capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from codegen import RefusedError
from codegen.contract.naming import class_name, words
from codegen.contract.source import Finding, Node, Source
from codegen.render.runtime.contract import child

WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*[_-]|[A-Za-z0-9]+")
QUOTE = r"[\"'`/]"
ANNOTATION = "x-vendor-word"
DECLARED = re.compile(r'(x-vendor:[^}]*?\bword:\s*)"[^"]*"')
# Keywords whose text is for people.
PROSE = frozenset({"description", "summary", "title", "text", "what", "x-inferred"})


@attrs.frozen
class VendorWord:
    """The vendor's word as the contract declares it.

    Attributes:
        identifiers: The identifiers that contain the word or the credential prefix.
        other_prefixes: The prefixes of the other kinds of credential, also of legacy ones.
    """

    word: str
    credential_prefix: str
    identifiers: frozenset[str]
    other_prefixes: frozenset[str]

    @classmethod
    def read(cls, source: Source) -> VendorWord:
        """Read the word from the contract.

        Raises:
            ContractError: The contract declares no word.
        """
        declared = source.document["info"].get("x-vendor")
        if declared is None:
            way_out = "write `x-vendor: {word: ..., credential-prefix: ...}`"
            raise source.error([Finding("#/info", f"the vendor's word is not declared; {way_out}")])
        annotated = frozenset(text for place, text in source.texts if f"/{ANNOTATION}/" in place)
        prefixes = {text for _, text in credential_prefixes(source.document)}
        prefix = declared["credential-prefix"]
        return cls(declared["word"], prefix, annotated, frozenset(prefixes - {prefix}))

    def carries(self, text: str) -> bool:
        """Return whether *text* contains the word, or begins with the credential prefix."""
        begins = text.startswith(self.credential_prefix)
        # Ordinary words may begin with a prefix that does not end in a separator. So only the whole text counts then.
        prefixed = begins if self.credential_prefix.endswith(("-", "_")) else text == self.credential_prefix
        return self.word.lower() in text.lower() or prefixed


class Renaming:
    """A renaming of the vendor's word and credential prefix in text of any kind.

    Raises:
        RefusedError: The word or the prefix cannot be used.
    """

    def __init__(self, vendor: VendorWord, word: str | None = None, credential_prefix: str | None = None) -> None:
        self.vendor = vendor
        self.word = vendor.word if word is None else word
        self.credential_prefix = vendor.credential_prefix if credential_prefix is None else credential_prefix
        if not WORD.fullmatch(self.word):
            way_out = "it must be letters and digits and begin with a letter, such as GitHub"
            raise RefusedError(f"WORD={self.word} is not valid in a Python name: {way_out}")
        if not PREFIX.fullmatch(self.credential_prefix):
            text = f"CREDENTIAL_PREFIX={self.credential_prefix} is not a prefix"
            raise RefusedError(f"{text}: write letters, digits, - and _ (acme_)")
        # The longest prefix decides about a token, so this one must not be the beginning of another one.
        if taken := [each for each in sorted(vendor.other_prefixes) if each.startswith(self.credential_prefix)]:
            kind = f"the prefix of another kind of credential ({taken[0]})"
            way_out = "the SDK would refuse the tokens of service users: write the prefix of theirs"
            raise RefusedError(f"CREDENTIAL_PREFIX={self.credential_prefix} is {kind}, so {way_out}")
        self._forms = dict(zip(forms(vendor.word), forms(self.word), strict=True))
        # An identifier may also become a name in Python, unless it is a prefix or only the word itself.
        names = {each for each in vendor.identifiers if each[-1] not in "-_" and is_distinctive(each, vendor.word)}
        derived = {form for each in names for form in ("_".join(words(each)), class_name(each))}
        known = vendor.identifiers | derived | {vendor.word, vendor.credential_prefix}
        self._renamed = {each: self.rename(each) for each in known}
        alternatives = map(self._pattern, sorted(self._renamed, key=len, reverse=True))
        self._identifier = re.compile("|".join(alternatives))

    def rename(self, identifier: str) -> str:
        """Rename an annotated identifier."""
        if identifier == self.vendor.credential_prefix:
            return self.credential_prefix
        pattern = "|".join(sorted(map(re.escape, self._forms), key=len, reverse=True))
        return re.sub(pattern, lambda match: self._forms[match[0]], identifier)

    def rename_text(self, text: str) -> str:
        """Rename the identifiers in code, YAML or prose; the bare word is renamed only between quotes or slashes."""
        # To search for all identifiers takes long, and most files have none.
        if not any(form in text for form in (*self._forms, self.vendor.credential_prefix)):
            return text
        return self._identifier.sub(lambda match: self._renamed[match[0]], text)

    def rename_contract(self, text: str) -> str:
        """Rename the identifiers in the text of the contract, and the declaration of the word."""
        return DECLARED.sub(rf'\g<1>"{self.word}"', self.rename_text(text))

    def _pattern(self, identifier: str) -> str:
        """Return the pattern of a whole identifier. A prefix of ids matches only if an id follows."""
        escaped = re.escape(identifier)
        if not is_distinctive(identifier, self.vendor.word):
            return rf"(?<={QUOTE}){escaped}(?={QUOTE})"
        if identifier == self.vendor.credential_prefix:
            return rf"(?<![A-Za-z0-9_]){escaped}"
        if identifier.endswith(("-", "_")):
            return rf"(?<![A-Za-z0-9_-]){escaped}(?=[0-9{{<]|{QUOTE})|(?<={QUOTE}){escaped}"
        return rf"(?<![A-Za-z0-9_]){escaped}(?![A-Za-z0-9_])"


def forms(word: str) -> tuple[str, str, str]:
    """Return the word in snake_case, in CamelCase and in capitals. CamelCase keeps the capitals that the word has."""
    camel = word if word != word.lower() else word.capitalize()
    return word.lower(), camel, word.upper()


def is_distinctive(identifier: str, word: str) -> bool:
    """Return whether an identifier cannot be a word of prose, because it has signs, digits or further capitals."""
    # The digits and capitals of the word itself do not count.
    rest = re.sub(re.escape(word), "x", identifier, flags=re.IGNORECASE)
    return not rest.isalpha() or rest != rest.lower()


def credential_prefixes(document: Node) -> Iterator[tuple[str, str]]:
    """Yield the prefix of each kind of credential, also of legacy ones, with its JSON pointer."""
    components = document.get("components", {})
    for name, scheme in components.get("securitySchemes", {}).items():
        if "x-credential-prefix" in scheme:
            yield f"{child('#/components/securitySchemes', name)}/x-credential-prefix", scheme["x-credential-prefix"]
    for index, legacy in enumerate(components.get("x-legacy-credentials", ())):
        yield f"#/components/x-legacy-credentials/{index}/prefix", legacy["prefix"]


def identifiers(source: Source) -> Iterator[tuple[str, str]]:
    """Yield the keys and the texts of the contract that are not prose, each as a pair with its JSON pointer."""
    return ((place, text) for place, text in source.texts if place.rpartition("/")[2] not in PROSE)


def word_findings(source: Source) -> Iterator[Finding]:
    """Yield the identifiers that contain the vendor's word, but that a renaming does not find."""
    if "x-vendor" not in source.document["info"]:
        return
    vendor = VendorWord.read(source)
    # No text contains `q0`, so a text that still has the vendor's word after this renaming was not found.
    renamed = Source(Path(source.name), Renaming(vendor, "q0", "q0_").rename_text(source.text))
    for (place, text), (_, after) in zip(identifiers(source), identifiers(renamed), strict=True):
        is_ours = re.search(r"/(x-rules|x-not-shown)/\d+/id$", place)
        if vendor.carries(text if is_ours else after):
            way_out = f"add `{ANNOTATION}: [{text}]` where it is defined, or put it in quotes"
            way_out = "the id of a gap or a rule must not: change it" if is_ours else way_out
            yield Finding(place, f"{text} contains the vendor's word; {way_out}")
