"""Names that may be kept: of a field, a header or a value. Anything that may be about a user is not.

A name consists of a few words with hardly any digit. Ids, credentials, addresses, paths and numbers are no names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from agent_session_platform.contract import is_object

from .formats import ID_PREFIXES

# Of each kind in one place: a place with more is a mapping with free keys, or no set of values.
MOST_NAMES: Final = 64
MOST_VALUES: Final = 32

LONGEST: Final = 40
# A word has letters only, but for these: any other digit may be that of an id, or of a number.
WORD: Final = (
    r"(?:[a-z]{1,20}|b3|base64|e2e|ec2|http[23]|ipv[46]|k8s|line[12]|md5|mp[34]|oauth2|p(?:50|90|95|99)|s3|sha(?:1|256|512)"
    r"|utf8|v[1-9]|x509)"
)
FIELD: Final = re.compile(rf"_?{WORD}(?:_{WORD}){{0,7}}")
CAMEL: Final = re.compile(r"[a-z]{1,20}(?:[A-Z][a-z]{1,20}){0,5}")
HEADER: Final = re.compile(rf"{WORD}(?:-{WORD}){{0,7}}")
# Lower case, upper case, or both as in `TimedOut`: what is mixed in any other way may be drawn at random.
CASED: Final = rf"(?:{WORD}|[A-Z]{{1,20}}|[A-Z]?[a-z]{{2,20}}(?:[A-Z][a-z]{{2,20}}){{0,3}})"
VALUE: Final = re.compile(rf"{CASED}(?:[_.-]{CASED}){{0,5}}")

MEDIA_TYPES: Final = frozenset(
    {
        "application/gzip",
        "application/json",
        "application/jsonl",
        "application/octet-stream",
        "application/pdf",
        "application/problem+json",
        "application/vnd.api+json",
        "application/x-ndjson",
        "application/x-www-form-urlencoded",
        "application/xml",
        "application/zip",
        "multipart/form-data",
        "text/csv",
        "text/event-stream",
        "text/html",
        "text/plain",
        "text/xml",
    }
)
# Headers that are kept even if they came only once; of others, a name that came once may be made of a value.
HEADERS: Final = frozenset(
    {
        "cache-control",
        "content-disposition",
        "content-encoding",
        "content-length",
        "content-type",
        "date",
        "etag",
        "link",
        "location",
        "retry-after",
        "server",
        "vary",
        "www-authenticate",
        "x-request-id",
    }
)

# Letters that a generator has drawn, and no words: so many consonants follow each other in none.
CONSONANT: Final = "[bcdfghjklmnpqrstvwxz]"
DRAWN: Final = re.compile(rf"{CONSONANT}{{6}}|(?=[a-z]{{12}})(?:[a-z]*?{CONSONANT}{{5}}|(?:[a-z]*?[jqxz]){{3}})")

# A member with such a word in its name has text of people, an id or a secret, however short its values are. An object
# of this name, in the plural, is a mapping by them.
PRIVATE_WORDS: Final = frozenset(
    [
        "account",
        "address",
        "alias",
        "assignee",
        "author",
        "authorization",
        "body",
        "branch",
        "city",
        "client",
        "comment",
        "company",
        "content",
        "cookie",
        "country",
        "creator",
        "credential",
        "cursor",
        "customer",
        "description",
        "detail",
        "domain",
        "email",
        "file",
        "filename",
        "folder",
        "handle",
        "hash",
        "header",
        "host",
        "hostname",
        "id",
        "ip",
        "key",
        "label",
        "login",
        "message",
        "name",
        "nickname",
        "note",
        "otp",
        "owner",
        "passphrase",
        "password",
        "path",
        "person",
        "phone",
        "pin",
        "prompt",
        "pwd",
        "query",
        "reason",
        "repo",
        "repository",
        "reviewer",
        "salt",
        "secret",
        "sender",
        "signature",
        "slug",
        "subject",
        "summary",
        "surname",
        "tag",
        "text",
        "title",
        "token",
        "url",
        "user",
        "username",
        "value",
    ]
)
# An object of such a name is a mapping, also if its members look like words.
MAPPINGS: Final = frozenset(
    [
        "annotation",
        "attribute",
        "by",
        "count",
        "cost",
        "env",
        "environment",
        "lookup",
        "map",
        "mapping",
        "metadata",
        "per",
        "usage",
        "variable",
    ]
)
HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+")
# Fewer objects in an object may be alike by chance.
LEAST_ALIKE: Final = 3


def is_field_name(text: str) -> bool:
    """Return whether a text looks like the name of a field or of a query parameter."""
    return len(text) <= LONGEST and (FIELD.fullmatch(text) or CAMEL.fullmatch(text)) is not None and not is_drawn(text)


def is_drawn(text: str) -> bool:
    """Return whether a text without digits looks as if drawn at random, as a token is."""
    return DRAWN.search(text.lower()) is not None


def header_name(name: str) -> str | None:
    """Return the name of a header in small letters; None if it does not look like one."""
    text = name.lower()
    return text if len(text) <= LONGEST and HEADER.fullmatch(text) and not is_drawn(text) else None


def is_standard(name: str) -> bool:
    """Return whether a header is so usual that its name is kept in any case."""
    return name.lower() in HEADERS


def media_type(content_type: str) -> str:
    """Return the media type of a Content-Type header, without its parameters; `other` for an unusual one."""
    text = content_type.partition(";")[0].strip().lower()
    return text if not text or text in MEDIA_TYPES else "other"


def is_value_name(text: str) -> bool:
    """Return whether a text looks like one of a set of values, such as `timed_out`."""
    is_word = len(text) <= LONGEST and VALUE.fullmatch(text) is not None and not is_drawn(text)
    return is_word and not text.startswith(tuple(ID_PREFIXES))


def words_of(name: str) -> set[str]:
    """Return the words of a name in small letters and in the singular: `user` and `name` for `userNames`."""
    words = [word.lower() for word in HUMP.split(name)]
    plurals = (("s", ""), ("es", ""), ("ies", "y"))
    return {*words, *(word.removesuffix(end) + last for word in words for end, last in plurals if word.endswith(end))}


def is_private(name: str) -> bool:
    """Return whether the name of a member says that its values are about a user."""
    return not PRIVATE_WORDS.isdisjoint(words_of(name))


def is_mapping(value: Mapping[str, Any], name: str) -> bool:
    """Return whether an object of which the contract shows nothing looks like a mapping, whose names are values.

    Args:
        value: The object.
        name: The name of the member that has it; empty for any other object.
    """
    words = words_of(name)
    is_of_people = name.endswith("s") and is_private(name)
    if is_of_people or not MAPPINGS.isdisjoint(words):
        return True
    first = next(iter(value.values()), None)
    if len(value) < LEAST_ALIKE or not first or not is_object(first):
        return False
    return all(is_object(each) and each.keys() == first.keys() for each in value.values())
