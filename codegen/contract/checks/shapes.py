"""The objects of OpenAPI 3.1: which keywords each one has, and what kind of value each keyword takes.

`description text` names a keyword and the kind of its value; `!` after the keyword: it is required. A kind is one of
OBJECTS, MAPS, WORDS or SCALARS. `[kind]` is a list, `{kind}` a mapping whose keys are names; `+` after it: not empty.
"""

from __future__ import annotations

import re

import attrs

SCALARS: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "date": str,
    "flag": bool,
    "number": (int, float),
    "count": int,
    "positive count": int,
}

WORDS = {
    "location": ("path", "query", "header", "cookie"),
    "style": ("matrix", "label", "simple", "form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "security type": ("apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"),
    "key location": ("query", "header", "cookie"),
    "permission level": ("enterprise", "organization"),
    "stability": ("beta",),
    "type": ("array", "boolean", "integer", "null", "number", "object", "string"),
}

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

# The kinds that may be written as a `$ref`, each with its section in `components`.
SECTIONS = {
    "schema": "schemas",
    "response": "responses",
    "parameter": "parameters",
    "example": "examples",
    "request body": "requestBodies",
    "header": "headers",
    "security scheme": "securitySchemes",
    "link": "links",
    "callback": "callbacks",
    "path item": "pathItems",
}


@attrs.frozen
class Map:
    """A mapping whose keys are not keywords.

    Attributes:
        member: The kind of its values.
        key: The form of its keys.
        form: The form in words.
        extensible: A key that begins with `x-` is an extension.
    """

    member: str
    key: re.Pattern[str]
    form: str
    extensible: bool = True


def component(kind: str) -> Map:
    """Return the map of a section of `components`."""
    form = "a name has only letters, digits, `.`, `-` and `_`"
    return Map(kind, re.compile(r"[A-Za-z0-9._-]+"), form, extensible=False)


ANY_TEXT = re.compile(r".+", re.DOTALL)

MAPS = {
    # Some readers take an extension for a path.
    "paths": Map("path item", re.compile(r"/.*"), "a path begins with `/`", extensible=False),
    "responses": Map(
        "response",
        re.compile(r"[1-5](\d\d|XX)|default"),
        "a status is `200` to `599` in quotes, a class of them such as `4XX`, or `default`",
    ),
    "requirement": Map("[text]", ANY_TEXT, "", extensible=False),
    "callback": Map("path item", ANY_TEXT, ""),
    "content": Map(
        "media type",
        re.compile(r"(application|audio|font|image|message|model|multipart|text|video|\*)/[\w.+*-]+( *;.*)?"),
        "a media type is written as `application/json`",
    ),
    **{f"{section} section": component(kind) for kind, section in SECTIONS.items()},
}


def keywords(text: str) -> dict[str, str]:
    """Return the kinds of the keywords: `name! text, in location` has two."""
    pairs = (each.strip().partition(" ") for each in text.split(","))
    return {name: kind for name, _, kind in pairs}


SERIALIZED = (
    "description text, required flag, deprecated flag, style style, explode flag, allowReserved flag, schema schema, "
    "content content, example any, examples {example}"
)

OBJECTS = {
    "document": keywords(
        "openapi! text, info! info, jsonSchemaDialect text, servers [server], paths! paths, webhooks {path item}, "
        "components components, security [requirement], tags [tag], externalDocs external documentation"
    ),
    "info": keywords(
        "title! text, version! text, summary text, description text, termsOfService text, contact contact, "
        "license license"
    ),
    "contact": keywords("name text, url text, email text"),
    "license": keywords("name! text, identifier text, url text"),
    "server": keywords("url! text, description text, variables {server variable}"),
    "server variable": keywords("enum [text]+, default! text, description text"),
    "tag": keywords("name! text, description text, externalDocs external documentation"),
    "external documentation": keywords("url! text, description text"),
    "components": keywords(", ".join(f"{section} {section} section" for section in SECTIONS.values())),
    "path item": keywords("summary text, description text, servers [server], parameters [parameter]")
    | dict.fromkeys(METHODS, "operation"),
    "operation": keywords(
        "tags [text], summary text, description text, externalDocs external documentation, operationId text, "
        "parameters [parameter], requestBody request body, responses! responses+, callbacks {callback}, "
        "deprecated flag, security [requirement], servers [server]"
    ),
    "parameter": keywords(f"name! text, in! location, allowEmptyValue flag, {SERIALIZED}"),
    "header": keywords(SERIALIZED),
    "request body": keywords("description text, content! content+, required flag"),
    "media type": keywords("schema schema, example any, examples {example}, encoding {encoding}"),
    "encoding": keywords("contentType text, headers {header}, style style, explode flag, allowReserved flag"),
    "response": keywords("description! text, headers {header}, content content, links {link}"),
    "example": keywords("summary text, description text, value any, externalValue text"),
    "link": keywords(
        "operationRef text, operationId text, parameters {any}, requestBody any, description text, server server"
    ),
    "security scheme": keywords(
        "type! security type, description text, name text, in key location, scheme text, bearerFormat text, "
        "flows flows, openIdConnectUrl text"
    ),
    "flows": keywords("implicit flow, password flow, clientCredentials flow, authorizationCode flow"),
    "flow": keywords("authorizationUrl text, tokenUrl text, refreshUrl text, scopes! {text}"),
    "discriminator": keywords("propertyName! text, mapping {text}"),
    "xml": keywords("name text, namespace text, prefix text, attribute flag, wrapped flag"),
    "schema": keywords(
        "$schema text, $id text, $anchor text, $dynamicAnchor text, $dynamicRef text, $comment text, $defs {schema}, "
        "allOf [schema]+, anyOf [schema]+, oneOf [schema]+, not schema?, if schema?, then schema?, else schema?, "
        "dependentSchemas {schema}, prefixItems [schema]+, items schema?, contains schema?, properties {schema}, "
        "patternProperties {schema}, additionalProperties schema?, propertyNames schema?, "
        "unevaluatedItems schema?, unevaluatedProperties schema?, type types, enum [any]+, const any, "
        "multipleOf number, maximum number, exclusiveMaximum number, minimum number, exclusiveMinimum number, "
        "maxLength count, minLength count, pattern text, maxItems count, minItems count, uniqueItems flag, "
        "maxContains count, minContains count, maxProperties count, minProperties count, required [text], "
        "dependentRequired {[text]}, title text, description text, default any, deprecated flag, readOnly flag, "
        "writeOnly flag, examples [any], example any, format text, contentEncoding text, contentMediaType text, "
        "contentSchema schema, discriminator discriminator, xml xml, externalDocs external documentation"
    ),
    "gap": keywords("id! text, what! text, closed observed"),
    "observed": keywords("answers! positive count, first! date, last! date"),
    "rule": keywords("id! text, text text"),
    "vendor": keywords("word! text, credential-prefix! text"),
    "pagination": keywords("items text, end_cursor text, has_next_page text, total text, after text"),
    "follow": keywords("id text, query {any}"),
    "wait": keywords("list text, gone [text]"),
}

# Our own keywords, which CONTRIBUTING.md explains: the kind of the value, and of the objects that may have it.
EXTENSIONS: dict[str, tuple[str, set[str] | None]] = {
    "x-adds-prefix": ("flag", {"parameter"}),
    "x-credential-prefix": ("text", {"security scheme"}),
    "x-follow": ("follow", {"operation"}),
    "x-id-prefix": ("text", {"parameter"}),
    "x-inferred": ("text", None),
    "x-known-values": ("[any]+", {"schema"}),
    "x-legacy": ("text", {"operation"}),
    "x-legacy-credentials": ("[any]", {"components"}),
    "x-not-shown": ("[gap]+", None),
    "x-observed": ("observed", None),
    "x-pagination": ("pagination", {"operation"}),
    "x-permission-level": ("permission level", {"operation"}),
    "x-resource-id": ("flag", {"schema"}),
    "x-rules": ("[rule]+", None),
    "x-secret": ("flag", None),
    "x-stability": ("stability", {"operation"}),
    "x-stated-path": ("text", {"operation"}),
    "x-successor": ("text", {"operation"}),
    "x-vendor": ("vendor", {"info"}),
    "x-vendor-word": ("[text]+", None),
    "x-wait": ("wait", {"operation"}),
    "x-wildcard": ("flag", {"parameter"}),
}

REQUIRED = {
    kind: tuple(name.removesuffix("!") for name in members if name.endswith("!")) for kind, members in OBJECTS.items()
}
KEYWORDS = {
    kind: {name.removesuffix("!"): value for name, value in members.items()} for kind, members in OBJECTS.items()
}
