"""Put another word in place of the vendor's: into the identifiers that contain it, and never into prose.

The API's description has a neutral word wherever the real identifiers contain the vendor's name, and a neutral prefix
of the service user's credential. The contract declares both (`x-vendor`) and marks every identifier with one
(`x-vendor-word`). The other word takes the same forms: lower case, CamelCase, capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import attrs

from codegen.contract.document import ContractError
from codegen.contract.naming import class_name, words
from codegen.contract.word_places import DECLARATION, Role, Scalar, scalars

WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*[_-]|[A-Za-z0-9]+")
CODE_SPAN = re.compile(r"(`+)([^`\n]+)\1")
# The characters that follow the prefix of an id in prose; in an identifier any may follow.
ID_IN_PROSE = r"(?=[0-9{<])"


class VendorWordError(Exception):
    """The word cannot be put in; the message says which words can."""


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
    def read(cls, text: str) -> VendorWord | None:
        """Read the word from the text of the contract; None if it declares no word."""
        found = scalars(text)
        declared = {each.field: each.text for each in found if each.role is Role.DECLARED}
        if not declared:
            return None
        if set(declared) != {"word", "credential-prefix"}:
            raise ContractError(f"info: {DECLARATION} must be {{word: ..., credential-prefix: ...}}")
        identifiers = frozenset(each.text for each in found if each.role is Role.MARK)
        names = {each.text for each in found if each.is_name and each.text in identifiers}
        return cls(declared["word"], declared["credential-prefix"], identifiers, frozenset(names))

    def carries(self, text: str) -> bool:
        """Tell whether *text* contains the word, or begins with the credential prefix."""
        begins = text.startswith(self.credential_prefix)
        # Any word may begin with a prefix that has no separator at its end.
        prefixed = begins if self.credential_prefix.endswith(("-", "_")) else text == self.credential_prefix
        return self.word.lower() in text.lower() or prefixed


class Renaming:
    """A renaming of the vendor's word and credential prefix in text of any kind.

    Raises:
        VendorWordError: The word or the prefix cannot be put in.
    """

    def __init__(self, vendor: VendorWord, word: str | None = None, credential_prefix: str | None = None) -> None:
        self.vendor = vendor
        self.word = vendor.word if word is None else word
        self.credential_prefix = vendor.credential_prefix if credential_prefix is None else credential_prefix
        if not WORD.fullmatch(self.word):
            raise VendorWordError(
                f"WORD={self.word} cannot stand in a name of Python: it must be letters and digits and begin with a "
                "letter (capitals are kept where a name has them: WORD=GitHub gives github_mode and GitHubMode)"
            )
        if not PREFIX.fullmatch(self.credential_prefix):
            raise VendorWordError(
                f"CREDENTIAL_PREFIX={self.credential_prefix} is not a prefix: write letters, digits, _ and -, like acme_"
            )
        self._forms = dict(zip(forms(vendor.word), forms(self.word), strict=True))
        self._anywhere = {each: self.rename(each) for each in vendor.identifiers if is_distinctive(each, vendor.word)}
        self._whole = {each: self.rename(each) for each in vendor.identifiers if not is_distinctive(each, vendor.word)}
        derived = {form for each in vendor.names for form in ("_".join(words(each)), class_name(each))}
        self._names = {each: self.rename(each) for each in vendor.names | derived}
        self._in_identifier = self._pattern(self._anywhere, "")
        self._in_prose = self._pattern(self._anywhere, ID_IN_PROSE)
        whole = "|".join(map(re.escape, sorted(self._whole, key=len, reverse=True)))
        self._segment = re.compile(rf"(?<![^/]){'(?:' + whole + ')' if whole else '(?!)'}(?![^/])")

    def rename(self, identifier: str) -> str:
        """Rename a marked identifier."""
        if identifier == self.vendor.credential_prefix:
            return self.credential_prefix
        pattern = "|".join(sorted(map(re.escape, self._forms), key=len, reverse=True))
        return re.sub(pattern, lambda match: self._forms[match[0]], identifier)

    def name(self, name: str) -> str:
        """Rename a name of Python."""
        return self._names.get(name, name)

    def identifier(self, text: str, *, whole: bool = True) -> str:
        """Rename a text of identifiers, such as a path; with *whole* also an identifier that is only the word."""
        text = self._in_identifier.sub(self._found, text)
        return self._segment.sub(lambda match: self._whole[match[0]], text) if whole else text

    def prose(self, text: str) -> str:
        """Rename the identifiers in prose: what no language has as a word, and what is between backticks."""
        pieces = []
        end = 0
        for span in CODE_SPAN.finditer(text):
            pieces.append(self._in_prose.sub(self._found, text[end : span.start()]))
            pieces.append(span[1] + self.literal(span[2]) + span[1])
            end = span.end()
        return "".join(pieces) + self._in_prose.sub(self._found, text[end:])

    def literal(self, text: str) -> str:
        """Rename the content of a code span or an example: an identifier if it is one word, else prose."""
        return self._in_prose.sub(self._found, text) if re.search(r"\s", text) else self.identifier(text)

    def contract(self, text: str) -> str:
        """Rename the identifiers of the contract by their roles, and those in its prose and comments."""
        found = scalars(text)
        fields = marked_fields(found)
        pieces = []
        end = 0
        for scalar in found:
            pieces.append(self.prose(text[end : scalar.start]))
            pieces.append(self._in_contract(scalar, text[scalar.start : scalar.end], fields))
            end = scalar.end
        return "".join(pieces) + self.prose(text[end:])

    def clashes(self, text: str) -> Iterator[str]:
        """Yield the identifiers that would get a name that the contract has already."""
        found = [each for each in scalars(text) if each.role in (Role.DEFINED, Role.USED)]
        taken = {each.text for each in found if each.role is Role.DEFINED} - self.vendor.identifiers
        words_given = f"WORD={self.word} CREDENTIAL_PREFIX={self.credential_prefix}"
        for old, new in sorted({**self._anywhere, **self._whole, **self._names}.items()):
            if new.endswith(("-", "_")):
                same = [each.text for each in found if each.text.startswith(new)]
            elif old in self._whole and old not in self.vendor.names:
                # A value clashes only with another one of its own set.
                same = [each.text for each in found if each.text == new and old in each.marks]
            else:
                same = [each for each in taken if each == new]
            if same and old != new:
                yield f"{words_given}: {old} would be {new}, and the contract has {min(same)} already"

    def _in_contract(self, scalar: Scalar, raw: str, fields: Mapping[str, frozenset[str]]) -> str:
        if scalar.role is Role.DECLARED:
            return self.word if scalar.field == "word" else self.credential_prefix
        if scalar.role is Role.PROSE:
            return self.prose(raw)
        if scalar.role is Role.OURS:
            return raw
        quote = raw[0] if raw[:1] in ("'", '"') else ""
        return quote + self.value(scalar, raw.removeprefix(quote).removesuffix(quote), fields) + quote

    def value(self, scalar: Scalar, text: str, fields: Mapping[str, frozenset[str]]) -> str:
        """Rename an identifier; in an example the word alone is one if its field is marked."""
        if scalar.field is None:
            return self.identifier(text)
        marked = fields.get(scalar.field, frozenset()) if scalar.field else scalar.marks
        return self.literal(text) if scalar.text in marked or scalar.text not in self._whole else text

    def _found(self, match: re.Match[str]) -> str:
        return self.rename(match[0])

    def _pattern(self, identifiers: Iterable[str], after_prefix: str) -> re.Pattern[str]:
        """Match any identifier as a whole, the longest first; a prefix only where an id follows."""
        alternatives = []
        for each in sorted(identifiers, key=len, reverse=True):
            if each == self.vendor.credential_prefix:
                alternatives.append(rf"(?<![A-Za-z0-9_]){re.escape(each)}")
            elif each.endswith(("-", "_")):
                alternatives.append(rf"(?<![A-Za-z0-9_-]){re.escape(each)}{after_prefix}")
            else:
                alternatives.append(rf"(?<![A-Za-z0-9_]){re.escape(each)}(?![A-Za-z0-9_])")
        return re.compile("|".join(alternatives) or "(?!)")


def forms(word: str) -> tuple[str, str, str]:
    """Return the word in snake_case, in CamelCase and in capitals; capitals of its own are kept in CamelCase."""
    camel = word if word != word.lower() else word.capitalize()
    return word.lower(), camel, word.upper()


def is_distinctive(identifier: str, word: str) -> bool:
    """Tell whether an identifier is more than the word itself, and so cannot be a word of prose."""
    # The word's own digits and capitals do not count.
    rest = re.sub(re.escape(word), "x", identifier, flags=re.IGNORECASE)
    return not rest.isalpha() or rest != rest.lower()


def marked_fields(found: Iterable[Scalar]) -> dict[str, frozenset[str]]:
    """Return the identifiers that may be values of a field, by its name, from the marks of its schemas."""
    names = [each for each in found if each.is_name]
    components = {f"#{each.text}": each.marks for each in names if "/components/schemas/" in each.place}
    fields: dict[str, frozenset[str]] = {}
    for each in names:
        referred = frozenset[str]().union(*(components.get(value, frozenset()) for value in each.values))
        fields[each.text] = fields.get(each.text, frozenset()) | each.values | referred
    return fields
