"""Replace the vendor's word in the identifiers that contain it, and never in prose.

The API's description has a neutral word wherever the real identifiers contain the vendor's name, and a neutral prefix
of the service user's credential. The contract declares both (`x-vendor`) and annotates every identifier with
one (`x-vendor-word`). The other word takes the same forms: lower case, CamelCase, capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import attrs

from codegen.contract.naming import class_name, words
from codegen.contract.nodes import ContractError
from codegen.contract.word_places import DECLARATION, Role, Scalar, scalars

WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*[_-]|[A-Za-z0-9]+")
QUOTE = r"[\"'`/]"


class VendorWordError(Exception):
    """The word cannot be used; the message describes which words can."""


@attrs.frozen
class VendorWord:
    """The vendor's word as the contract declares it.

    Attributes:
        identifiers: The identifiers that contain the word or the credential prefix.
        names: The identifiers that become names of Python: fields, parameters and components.
    """

    word: str
    credential_prefix: str
    identifiers: frozenset[str]
    names: frozenset[str]

    @classmethod
    def read(cls, text: str) -> VendorWord:
        """Read the word from the text of the contract.

        Raises:
            ContractError: It declares no word.
        """
        found = scalars(text)
        declared = {each.field: each.text for each in found if each.role is Role.DECLARED}
        if set(declared) != {"word", "credential-prefix"}:
            line = next((text.count("\n", 0, each.start) + 1 for each in found if each.text == "info"), 1)
            way_out = f"write `{DECLARATION}: {{word: ..., credential-prefix: ...}}`"
            raise ContractError(f"openapi.yaml:{line}: #/info: the vendor's word is not declared; {way_out}")
        identifiers = frozenset(each.text for each in found if each.role is Role.ANNOTATION)
        names = {each.text for each in found if each.is_name and each.text in identifiers}
        return cls(declared["word"], declared["credential-prefix"], identifiers, frozenset(names))

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
        derived = {form for each in vendor.names for form in ("_".join(words(each)), class_name(each))}
        self._renamed = {each: self.rename(each) for each in vendor.identifiers | derived}
        self._ambiguous = {each for each in vendor.identifiers if not is_distinctive(each, vendor.word)}
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
        """Rename the identifiers of the contract by their roles, and those in its prose and comments."""
        found = scalars(text)
        fields = annotated_values(found)
        pieces = []
        end = 0
        for scalar in found:
            if scalar.role is Role.PROSE:
                continue
            raw = text[scalar.start : scalar.end]
            pieces.append(self.rename_text(text[end : scalar.start]))
            pieces.append(raw.replace(scalar.text, self.rename_scalar(scalar, fields)))
            end = scalar.end
        return "".join(pieces) + self.rename_text(text[end:])

    def rename_scalar(self, scalar: Scalar, fields: Mapping[str, frozenset[str]]) -> str:
        """Rename a scalar of the contract by its role; *fields* are the annotated values of each field."""
        text = scalar.text
        if scalar.role is Role.DECLARED:
            return self.word if scalar.field == "word" else self.credential_prefix
        if scalar.role is Role.OURS:
            return text
        if scalar.role is Role.ANNOTATION:
            return self.rename(text)
        if text in self._ambiguous:
            annotated = fields.get(scalar.field, frozenset()) if scalar.field else scalar.annotated
            return self.rename(text) if scalar.field is None or text in annotated else text
        # Add quotes, so that the pattern for quoted ids applies.
        return self.rename_text(text) if re.search(r"\s", text) else self.rename_text(f'"{text}"')[1:-1]

    def clashes(self, text: str) -> Iterator[str]:
        """Yield the identifiers whose new name already exists in the contract."""
        found = [each for each in scalars(text) if each.role in (Role.DEFINED, Role.USED)]
        taken = {each.text for each in found if each.role is Role.DEFINED} - self.vendor.identifiers
        words_given = f"WORD={self.word} CREDENTIAL_PREFIX={self.credential_prefix}"
        for old, new in sorted(self._renamed.items()):
            if new.endswith(("-", "_")):
                same = [each.text for each in found if each.text.startswith(new)]
            elif old in self._ambiguous and old not in self.vendor.names:
                # A value clashes only with another one of its own set.
                same = [each.text for each in found if each.text == new and old in each.annotated]
            else:
                same = [each for each in taken if each == new]
            if same and old != new:
                yield f"{words_given}: {old} would be {new}, and the contract has {min(same)} already"

    def _pattern(self, identifier: str) -> str:
        """Match an identifier as a whole; a prefix of ids only where an id follows."""
        escaped = re.escape(identifier)
        if identifier == self.vendor.credential_prefix and identifier not in self._ambiguous:
            return rf"(?<![A-Za-z0-9_]){escaped}"
        if identifier in self._ambiguous:
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


def annotated_values(found: Iterable[Scalar]) -> dict[str, frozenset[str]]:
    """Return the annotated identifiers that may be values of a field, by the name of the field."""
    names = [each for each in found if each.is_name]
    components = {f"#{each.text}": each.annotated for each in names if "/components/schemas/" in each.place}
    fields: dict[str, frozenset[str]] = {}
    for each in names:
        referred = frozenset[str]().union(*(components.get(value, frozenset()) for value in each.values))
        fields[each.text] = fields.get(each.text, frozenset()) | each.values | referred
    return fields
