"""Replace the vendor's word in the identifiers that contain it, and never in prose.

The API's description has a neutral word wherever the real identifiers contain the vendor's name, and a neutral prefix
of the service user's credential. The contract declares both (`x-vendor`) and annotates every identifier with
one (`x-vendor-word`). The other word takes the same forms: lower case, CamelCase, capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import attrs
import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from codegen.contract.naming import class_name, words
from codegen.contract.source import LOADER, ContractError, Finding, child, members

WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*[_-]|[A-Za-z0-9]+")
QUOTE = r"[\"'`/]"
DECLARATION = "x-vendor"
ANNOTATION = "x-vendor-word"
# Keywords whose text is for people.
PROSE = frozenset({"description", "summary", "title", "text", "what", "x-inferred"})


class VendorWordError(Exception):
    """The word cannot be used; the message describes which words can."""


@attrs.frozen
class Scalar:
    """A key or a value of the contract that is no prose.

    Attributes:
        place: The JSON pointer of the value, or of the mapping that has the key.
        start: The offset in the file of its first character.
        end: The offset after its last character.
        keys: The keys above it, its own included.
    """

    text: str
    place: str
    start: int
    end: int
    keys: tuple[str, ...]


@lru_cache(maxsize=2)
def scalars(text: str) -> tuple[Scalar, ...]:
    """Return the keys and the values of the contract that are no prose, in order."""

    def below(node: Node | None, place: str, keys: tuple[str, ...]) -> Iterator[Scalar]:
        if isinstance(node, ScalarNode) and not PROSE.intersection(keys[-1:]):
            yield Scalar(node.value, place, node.start_mark.index, node.end_mark.index, keys)
        for key, marked, value in members(node):
            is_key = isinstance(node, MappingNode)
            if is_key:
                yield Scalar(key, place, marked.start_mark.index, marked.end_mark.index, (*keys, key))
            yield from below(value, child(place, key), (*keys, key) if is_key else keys)

    return tuple(below(yaml.compose(text, Loader=LOADER), "#", ()))


@attrs.frozen
class VendorWord:
    """The vendor's word as the contract declares it.

    Attributes:
        identifiers: The identifiers that contain the word or the credential prefix.
    """

    word: str
    credential_prefix: str
    identifiers: frozenset[str]

    @classmethod
    def read(cls, text: str) -> VendorWord:
        """Read the word from the text of the contract.

        Raises:
            ContractError: It declares no word.
        """
        found = scalars(text)
        place = f"#/info/{DECLARATION}"
        declared = {each.keys[-1]: each.text for each in found if each.place.startswith(f"{place}/")}
        if set(declared) != {"word", "credential-prefix"}:
            line = next((text.count("\n", 0, each.start) + 1 for each in found if each.text == "info"), 1)
            way_out = f"write `{DECLARATION}: {{word: ..., credential-prefix: ...}}`"
            raise ContractError(f"openapi.yaml:{line}: #/info: the vendor's word is not declared; {way_out}")
        identifiers = frozenset(each.text for each in found if f"/{ANNOTATION}/" in each.place)
        return cls(declared["word"], declared["credential-prefix"], identifiers)

    def carries(self, text: str) -> bool:
        """Return whether *text* contains the word, or begins with the credential prefix."""
        begins = text.startswith(self.credential_prefix)
        # Without a trailing separator, require the whole text: ordinary words may share the prefix.
        prefixed = begins if self.credential_prefix.endswith(("-", "_")) else text == self.credential_prefix
        return self.word.lower() in text.lower() or prefixed


class Renaming:
    """A renaming of the vendor's word and credential prefix in text of any kind.

    Raises:
        VendorWordError: The word or the prefix cannot be used.
    """

    def __init__(self, vendor: VendorWord, word: str | None = None, credential_prefix: str | None = None) -> None:
        self.vendor = vendor
        self.word = vendor.word if word is None else word
        self.credential_prefix = vendor.credential_prefix if credential_prefix is None else credential_prefix
        if not WORD.fullmatch(self.word):
            raise VendorWordError(
                f"WORD={self.word} is not valid in a Python name: it must be letters and digits and begin with a "
                "letter (capitals are kept where a name has them: WORD=GitHub gives github_mode and GitHubMode)"
            )
        if not PREFIX.fullmatch(self.credential_prefix):
            raise VendorWordError(
                f"CREDENTIAL_PREFIX={self.credential_prefix} is not a prefix: write letters, digits, - and _ (acme_)"
            )
        self._forms = dict(zip(forms(vendor.word), forms(self.word), strict=True))
        # An identifier of the contract becomes names of Python, except a prefix or a value that is the word alone.
        names = {each for each in vendor.identifiers if each[-1] not in "-_" and is_distinctive(each, vendor.word)}
        derived = {form for each in names for form in ("_".join(words(each)), class_name(each))}
        self._renamed = {each: self.rename(each) for each in vendor.identifiers | derived}
        alternatives = map(self._pattern, sorted(self._renamed, key=len, reverse=True))
        self._identifier = re.compile("|".join(alternatives) or "(?!)")

    def rename(self, identifier: str) -> str:
        """Rename an annotated identifier."""
        if identifier == self.vendor.credential_prefix:
            return self.credential_prefix
        pattern = "|".join(sorted(map(re.escape, self._forms), key=len, reverse=True))
        return re.sub(pattern, lambda match: self._forms[match[0]], identifier)

    def rename_text(self, text: str) -> str:
        """Rename the identifiers in code or prose; the bare word is renamed only between quotes or slashes."""
        return self._identifier.sub(lambda match: self._renamed[match[0]], text)

    def rename_contract(self, text: str) -> str:
        """Rename the identifiers of the contract, and those in its prose and comments."""
        pieces = []
        end = 0
        for scalar in scalars(text):
            raw = text[scalar.start : scalar.end]
            pieces.append(self.rename_text(text[end : scalar.start]))
            pieces.append(raw.replace(scalar.text, self.rename_scalar(scalar)) if scalar.text else raw)
            end = scalar.end
        return "".join(pieces) + self.rename_text(text[end:])

    def clashes(self, text: str) -> Iterator[str]:
        """Yield the identifiers whose new name already exists in the contract."""
        taken = {each.text for each in scalars(text)} - self.vendor.identifiers
        words_given = f"WORD={self.word} CREDENTIAL_PREFIX={self.credential_prefix}"
        for old, new in sorted(self._renamed.items()):
            same = [each for each in taken if each == new or (new.endswith(("-", "_")) and each.startswith(new))]
            # A value that is the word alone belongs to its own set.
            if same and old != new and is_distinctive(old, self.vendor.word):
                yield f"{words_given}: {old} would be {new}, and the contract has {min(same)} already"

    def rename_scalar(self, scalar: Scalar) -> str:
        """Rename a scalar of the contract."""
        text = scalar.text
        if scalar.place.startswith(f"#/info/{DECLARATION}/"):
            return self.word if scalar.keys[-1] == "word" else self.credential_prefix
        if text in self.vendor.identifiers:
            return self.rename(text)
        # Add quotes, so that the pattern for quoted ids applies.
        return self.rename_text(text) if re.search(r"\s", text) else self.rename_text(f'"{text}"')[1:-1]

    def _pattern(self, identifier: str) -> str:
        """Match an identifier as a whole; a prefix of ids only where an id follows."""
        escaped = re.escape(identifier)
        if identifier == self.vendor.credential_prefix and is_distinctive(identifier, self.vendor.word):
            return rf"(?<![A-Za-z0-9_]){escaped}"
        if not is_distinctive(identifier, self.vendor.word):
            return rf"(?<={QUOTE}){escaped}(?={QUOTE})"
        if identifier.endswith(("-", "_")):
            return rf"(?<![A-Za-z0-9_-]){escaped}(?=[0-9{{<]|{QUOTE})|(?<={QUOTE}){escaped}"
        return rf"(?<![A-Za-z0-9_]){escaped}(?![A-Za-z0-9_])"


def forms(word: str) -> tuple[str, str, str]:
    """Return the word in snake_case, in CamelCase and in capitals; capitals of its own are kept in CamelCase."""
    camel = word if word != word.lower() else word.capitalize()
    return word.lower(), camel, word.upper()


def is_distinctive(identifier: str, word: str) -> bool:
    """Return whether an identifier is more than the word itself: then it cannot be a word of prose."""
    # The word's own digits and capitals do not count.
    rest = re.sub(re.escape(word), "x", identifier, flags=re.IGNORECASE)
    return not rest.isalpha() or rest != rest.lower()


def word_findings(text: str) -> Iterator[Finding]:
    """Yield the identifiers of the contract with the vendor's word that no annotation covers, and needless annotations.

    Without `x-vendor` nothing may be annotated.
    """
    annotations = [each for each in scalars(text) if f"/{ANNOTATION}/" in each.place]
    if not any(each.place == "#/info" and each.text == DECLARATION for each in scalars(text)):
        reason = f"{ANNOTATION} without {DECLARATION} in info; add `{DECLARATION}`, or remove it"
        yield from (Finding(each.place, reason) for each in annotations)
        return
    vendor = VendorWord.read(text)
    # No word contains this one.
    probe = Renaming(vendor, "q0", "q0_")
    for each in scalars(text):
        is_ours = each.keys[-2:] in (("x-rules", "id"), ("x-not-shown", "id"))
        if vendor.carries(each.text if is_ours else probe.rename_scalar(each)):
            way_out = f"add `{ANNOTATION}: [{each.text}]` where it is defined"
            way_out = "ids of gaps and rules must not: change it" if is_ours else way_out
            yield Finding(each.place, f"{each.text} contains the vendor's word; {way_out}")
    written = "\n".join(each.text for each in scalars(text) if f"/{ANNOTATION}/" not in each.place)
    for each in annotations:
        if not vendor.carries(each.text):
            reason = f"does not contain the word {vendor.word}"
        elif each.text not in written:
            reason = "is not there"
        else:
            continue
        yield Finding(each.place, f"{ANNOTATION} lists {each.text}, which {reason}; remove it")
