"""Turns of two programs in one session, in any order: late lists, lost responses, refused polls, crashes."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from random import Random
from typing import Any

import attrs
import pytest
from agent_session_platform import OrganizationScope
from agent_session_platform_jobs import Turn, ask, resume

from jobs_tests.turns.talk import ID, STATES, Talk, now

SEEDS = 300


@attrs.define
class Assistant:
    """An assistant that answers one text after the other, or several at once, and what each message answers.

    Attributes:
        answers: The texts that each message of the assistant answers, by the message.
        arrived: How often each text has arrived.
    """

    talk: Talk
    random: Random
    waiting: list[str] = attrs.field(factory=list[str])
    answers: dict[str, list[str]] = attrs.field(factory=lambda: dict[str, list[str]]())
    arrived: dict[str, int] = attrs.field(factory=lambda: defaultdict[str, int](int))
    is_working: bool = False
    tasks: list[asyncio.Task[None]] = attrs.field(factory=lambda: list[asyncio.Task[None]]())

    def hear(self, session_id: str, text: str) -> None:
        """Receive a text."""
        self.arrived[text] += 1
        self.waiting.append(text)
        if not self.is_working:
            self.is_working = True
            self.tasks.append(asyncio.get_running_loop().create_task(self.work()))

    async def work(self) -> None:
        """Answer the texts that wait."""
        await self.pause(1, 20)
        self.talk.change(status="working")
        while self.waiting:
            texts = [self.waiting.pop(0)]
            if self.waiting and self.random.random() < 0.3:
                texts.append(self.waiting.pop(0))
            for _ in range(self.random.randint(1, 3)):
                await self.pause(1, 60)
                said = f"message {len(self.answers)}"
                self.answers[said] = texts
                self.talk.say(said)
            if self.random.random() < 0.2:
                # The session looks done for a moment.
                self.talk.change(status="ready")
                await self.pause(1, 20)
                self.talk.change(status="working")
                await self.pause(1, 20)
        self.is_working = False
        self.talk.change(status=self.random.choice(["ready", "ready", "question", "failed"]))

    async def pause(self, least: float, most: float) -> None:
        await asyncio.sleep(self.random.uniform(least, most))


@attrs.frozen
class Program:
    """One program that asks, and may crash."""

    talk: Talk
    random: Random
    text: str

    async def run(self, org: OrganizationScope) -> Turn[Any]:
        """Ask in the session after a moment."""
        await asyncio.sleep(self.random.uniform(0, 40))
        saved: list[str] = []
        timeout = self.random.choice([100.0, 3600.0])
        asking = asyncio.create_task(
            ask(
                org.sessions,
                self.text,
                session_id=ID,
                states=STATES,
                timeout=timeout,
                on_position=lambda position: saved.append(json.dumps(position)),
            )
        )
        if self.random.random() < 0.3:
            await asyncio.wait([asking], timeout=self.random.uniform(0, 60))
            if saved and not asking.done():
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
                await asyncio.sleep(self.random.uniform(0, 100))
                return await resume(org.sessions, json.loads(saved[-1]), states=STATES)
        return await asking


@attrs.frozen
class Played:
    """A turn, and what was true when it ended."""

    turn: Turn[Any]
    text: str
    listed: list[str]


def play(seed: int) -> tuple[Assistant, list[Played]]:
    """Let two programs ask, and return the assistant and the turns."""
    random = Random(seed)
    talk = Talk()
    talk.add(status="ready")
    talk.say("Hello", source="user")
    talk.say("An old answer")
    talk.late = random.choice([0.0, 5.0, 40.0])
    talk.late_state = random.choice([0.0, 3.0, 30.0])
    talk.losing = [random.choice([None, None, None, "response", "request"]) for _ in range(2)]
    assistant = Assistant(talk, random)
    talk.on_text = assistant.hear
    texts = ["Fix it", random.choice(["Fix it", "And the docs"])]

    async def one(org: OrganizationScope, text: str) -> Played:
        turn = await Program(talk, random, text).run(org)
        listed = [message["message"] for at, message in talk.messages[ID] if at + talk.late <= now()]
        return Played(turn, text, listed)

    async def main(org: OrganizationScope) -> list[Played]:
        for _ in range(random.randint(0, 5)):
            at = random.uniform(45, 200)
            asyncio.get_running_loop().call_at(at, talk.statuses.append, random.choice([429, 503]))
        played = await asyncio.gather(*(one(org, text) for text in texts))
        await asyncio.gather(*assistant.tasks)
        return played

    return assistant, talk.run(main)


def check(assistant: Assistant, played: Played) -> None:
    """Check what must hold of every turn."""
    turn = played.turn
    answer = [message.message or "" for message in turn.answer]
    # Nothing from before the text, and in the order of the list.
    assert "An old answer" not in answer
    assert answer == [text for text in played.listed if text in answer]
    if turn.reason == "unknown":
        assert turn.error is not None
        return
    # Nobody can know that a session works on another text as long as it is shown as it was before.
    if turn.interrupted or assistant.talk.late_state:
        return
    assert [assistant.answers[said] for said in answer] == [[played.text]] * len(answer)
    # An answer that was listed is not lost.
    if turn.reason != "deadline" and assistant.arrived[played.text] == 1:
        assert answer == [said for said in played.listed if assistant.answers.get(said) == [played.text]]
        assert answer


@pytest.mark.parametrize("first", range(0, SEEDS, 50))
def test_every_turn_ends_with_what_is_true(first: int) -> None:
    for seed in range(first, first + 50):
        assistant, turns = play(seed)
        texts = [played.text for played in turns]
        for played in turns:
            check(assistant, played)
            assert assistant.arrived[played.text] <= texts.count(played.text), "sent twice"
