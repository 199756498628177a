"""A parser of JSON whose steps do not depend on the shape of a body.

A value is parsed at once if it ends within a window of the body. A container that does not is taken apart, and a string
is parsed in pieces.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .bounds import MAX_DEPTH, ValueCounter
from .json_parser import parse_json
from .text_window import SMALL, STEP, VALUE, Steps, TextWindow

# The first name of an object: the members of an array often have the same one, and what they contain another one.
FIRST_NAME = re.compile(r'\{[ \t\n\r]*+"[^"\\]*+"')

# From so many members on, many are parsed at once.
FEW = 32

# How far many are parsed at first; doubled with each step.
FIRST_REACH = 64 * 1024

CLOSING = {list: "]", dict: "}"}

# Stands for a container that does not end within its window.
OPENED = object()


class StepwiseParser(TextWindow):
    """Parser of one text in UTF-8, through a window; a syntax error is a ValueError.

    Attributes:
        counter: Counts the values.
        opened: The containers that are taken apart and did not end yet.
    """

    def __init__(self, content: bytes | bytearray, step: int = STEP, small: int = SMALL) -> None:
        super().__init__(content, step, small)
        self.counter = ValueCounter()
        self.opened: list[Any] = []
        # Containers that are still to be taken apart without an attempt to parse them.
        self._pages = 2
        # What is between two members of a container; empty while it is not known, None when it does not help.
        self._separator: bytes | None = b""
        self._comma = 0
        # Members that were parsed one by one; how far many are parsed at once; how much of that failed.
        self._single = 0
        self._reach = min(step, FIRST_REACH)
        self._missed = 0

    def document(self) -> Steps:
        """Parse the whole text, and return its value."""
        containers = self.opened
        names: list[str] = []
        value: Any
        self._move(0)
        yield from self._skip()
        while True:
            value = yield from self._value(containers)
            if value is OPENED:
                value = [] if self._text[self._at] == "[" else {}
                containers.append(value)
                if len(containers) > MAX_DEPTH:
                    raise RecursionError
                self._enter_container()
                self._at += 1
                if (yield from self._skip()) != CLOSING[value.__class__]:
                    if value.__class__ is dict:
                        names.append((yield from self._name()))
                    continue
                self._at += 1
                containers.pop()
            while containers:
                container = containers[-1]
                is_array = container.__class__ is list
                if is_array:
                    container.append(value)
                else:
                    container[names.pop()] = value
                begin, end = self._begin, self._at
                character = yield from self._skip()
                if character == ",":
                    self._at += 1
                    yield from self._skip()
                    self._single += 1
                    if self._single > FEW and self._separator is not None:
                        if not self._separator and self._begin == begin and end > 1:
                            self._learn_separator(end)
                        yield from self._many(container, len(containers))
                    if not is_array:
                        names.append((yield from self._name()))
                    break
                if character != CLOSING[container.__class__]:
                    raise self._wrong("Expecting ',' delimiter", self._at)
                self._at += 1
                self._enter_container()
                value = containers.pop()
            else:
                if (yield from self._skip()):
                    raise self._wrong("Extra data", self._at)
                return value

    def _value(self, containers: list[Any]) -> Steps:
        """Parse the next value, or return OPENED for a container that is taken apart."""
        depth = len(containers)
        while True:
            if self._work > self._step:
                self._work = 0
                yield
            text, at = self._text, self._at
            character = text[at : at + 1]
            if character in ("[", "{") and self._pages:
                # Of a body that is large, the first containers usually are: a page, and its items.
                self._pages -= 1
                return OPENED
            reason, place = "Expecting value", at
            try:
                value, end = self._parse(text, at)
            except json.JSONDecodeError as error:
                reason, place = error.msg, error.pos
            else:
                # A number may go on after the window, also `1` as `1e+9`.
                if end + 2 < len(text) or self._final:
                    self._at = end
                    self._work += end - at + VALUE
                    self.counter.add([value], depth)
                    return value
            if self._final:
                raise self._wrong(reason, place)
            self.futile += len(text) - at
            self._work += len(text) - at + VALUE
            if at:
                self._move(self._here())
            elif character in ("[", "{"):
                return OPENED
            elif character == '"':
                self.counter.add([""], depth)
                return (yield from self._string())
            elif len(text) <= self._small:
                self._move(self._begin, self._step)
            else:
                raise self._wrong(reason, place)

    def _enter_container(self) -> None:
        self._separator = b""
        self._single = 0

    def _many(self, container: Any, depth: int) -> Steps:
        """Parse as many members of a container as end within a step: up to the last separator that is found.

        What ends before a comma, and can be parsed as a whole container, is members of this one.
        """
        opening, closing = (b"[", b"]") if container.__class__ is list else (b"{", b"}")
        while self._separator and self._missed <= self._begin + 2 * self._step:
            begin = self._here()
            end = self._content.rfind(self._separator, begin, begin + self._reach) + self._comma
            if end <= begin:
                self._separator = None
                return
            try:
                members = parse_json(opening + self._content[begin:end] + closing)
            except ValueError:
                # It was a separator of other members, or in a string.
                self._missed += self._reach
                self._work += self._reach
                self._reach = max(self._reach // 4, self._small)
                self._separator = None
                return
            self._reach = min(self._reach * 2, self._step // 2)
            self.counter.add([members], depth - 1)
            if container.__class__ is list:
                container += members
            else:
                container.update(members)
            self._work = 0
            yield
            self._move(end + 1)
            yield from self._skip()

    def _learn_separator(self, end: int) -> None:
        """Remember what is between the member that ends at *end* and the next one, with the edges of both."""
        text, at = self._text, self._at
        match text[at]:
            case "{":
                named = FIRST_NAME.match(text, at)
                separator = text[end - 1 : named.end() if named else at + 1]
            case "[":
                separator = text[end - 2 : at + 2]
            case '"':
                separator = text[end - (text[end - 1] in '"]}') : at + 1]
            case _:
                separator = ","
        self._separator = separator.encode("utf-8", "surrogatepass")
        # Only ASCII is before the comma.
        self._comma = separator.index(",")

    def _name(self) -> Steps:
        """Parse the name of a member, and go on to its value."""
        while True:
            text, at = self._text, self._at
            if text[at : at + 1] != '"':
                raise self._wrong("Expecting property name enclosed in double quotes", at)
            try:
                name, end = self._parse(text, at)
            except json.JSONDecodeError as error:
                if self._final or (not at and len(text) > self._small):
                    raise self._wrong(error.msg, error.pos) from None
            else:
                break
            self.futile += len(text) - at
            self._move(self._here(), self._step)
        self.counter.add([name], 1)
        self._at = end
        if (yield from self._skip()) != ":":
            raise self._wrong("Expecting ':' delimiter", self._at)
        self._at += 1
        yield from self._skip()
        return name

    def _move(self, begin: int, size: int = 0) -> None:
        super()._move(begin, size)
        if self._separator is None:
            self._separator = b""
