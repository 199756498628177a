"""Use every shape of paths.yaml; checked by mypy and pyright, both strict, and run against a sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import assert_type
from uuid import UUID

import pytest
from agent_session_platform import AgentPlatform, Download, InvalidArgumentError, MissingFieldError, Pager, models
from agent_session_platform_sandbox import Sandbox

KEY = UUID(int=7)
DAY = date(2026, 1, 2)


async def use_boxes(platform: AgentPlatform) -> None:
    boxes = platform.organization("org-acme").boxes
    made = await boxes.create(
        label="a",
        owner=models.Owner(name="Ada", size="small"),
        others=[models.Owner(name="Bo"), {"name": "Cy", "email": None}],
        sizes=["small", "large"],
        note=None,
        from_=DAY,
        key=KEY,
        wait=timedelta(hours=1),
        level=2,
        self_="s",
        extra_name="e",
        counts={"x": 1},
        content=models.CardPayment(number="1"),
    )
    assert_type(made, models.Box)
    assert_type(made.owner, models.Owner)
    assert_type(made.sizes, Sequence[models.BoxSize | str] | None)
    assert_type(made.from_, date | None)
    assert_type(made.counts, Mapping[str, int] | None)
    assert_type(made.children, Sequence[models.Box] | None)
    assert (made.label, made.owner, made.owner.size) == ("a", models.Owner(name="Ada", size="small"), "small"), made
    assert made.others == [models.Owner(name="Bo"), models.Owner(name="Cy", email=None)], made.others
    assert (made.from_, made.key, made.wait, made.level) == (DAY, KEY, "PT3600S", 2), made
    assert (made.self, made.extra_name, made.counts) == ("s", "e", {"x": 1}), made
    assert made.content == models.CardPayment(number="1"), made.content
    assert (made.note, made.str, made.to_dict_, made.date) == (None, None, None, None), made
    other = await boxes.create(label="b", owner={"name": "Ada"}, from_="2026-01-02", content="text", sizes=["large"])
    assert other.content == "text", other

    pager = boxes.list(
        class_="small",
        x_request_tag="tag",
        x_depth=1,
        from_=DAY,
        colors=["red,", "a|b", "blue"],
        filter={"state": "x y", "open": True},
        since=datetime(2026, 1, 2, tzinfo=UTC),
        is_open=True,
        sizes=["small", "large"],
        first=1,
    )
    assert_type(pager, Pager[models.Box])
    assert [each.label async for each in pager] == ["a", "b"]
    assert (await boxes.get(made.box_id)) == made

    packed = await boxes.pack(made.box_id)
    assert_type(packed, models.Box | models.BoxTicket | None)
    assert isinstance(packed, models.Box), packed
    assert_type(await boxes.delete(made.box_id), None)
    assert [each.label async for each in boxes.list(class_="large", x_request_tag="t")] == ["b"]
    with pytest.raises(InvalidArgumentError, match="^X-Request-Tag has characters that a header cannot carry$"):
        boxes.list(class_="small", x_request_tag="Zoë")
    with pytest.raises(TypeError, match="Owner needs name"):
        models.Owner()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]  # mypy reports unused ones
    models.Owner(name=1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # as above


async def use_dicts(platform: AgentPlatform) -> None:
    """Write the objects of a request as plain dicts, which type checkers check."""
    boxes = platform.organization("org-acme").boxes
    home: models.OwnerAddressDict = {"street": "Main", "from": DAY, "kind": "post"}
    made = await boxes.create(
        label="a",
        from_=DAY,
        owner={"name": "Ada", "size": "small", "address": {**home, "country": "DE"}, "homes": [home]},
        others=[{"name": "Bo", "address": {**home, "neighbor": {"name": "Cy"}}}, models.Owner(name="Di", address=home)],
    )
    sent = {"street": "Main", "from": "2026-01-02", "kind": "post"}
    assert made.owner.address == models.OwnerAddress.from_dict({**sent, "country": "DE"}), made
    assert made.others is not None
    assert made.others[0].to_dict()["address"] == {**sent, "neighbor": {"name": "Cy"}}, made
    assert made.others[1].to_dict() == {"name": "Di", "address": sent}, made
    owner = models.OwnerDict(name="Eve", address={"street": "Main", "from": DAY, "kind": "post", "floor": 3})
    assert (await boxes.create(label="b", from_=DAY, owner=owner)).owner.to_dict()["address"]["floor"] == 3


async def use_policies(platform: AgentPlatform) -> None:
    policies = platform.enterprise.policies
    for number in (1, 2, 3):
        assert_type(await policies.import_(policy_id=number, None_="n"), None)
    order = models.SearchEnterprisePoliciesBodyOrder(by="name")
    pager = policies.search(text="a", size=1, order=order, options_={"deep": True})
    assert_type(pager, Pager[models.Policy])
    page = models.SearchEnterprisePolicies200.from_dict({"policies": None, "next": 7})
    assert_type(page.next, str | None)
    assert_type(page.policies, Sequence[models.Policy])
    assert (page.policies, page.end_cursor) == ([], "7"), page
    assert [each.policy_id for each in await pager.collect()] == [1, 2, 3]
    assert (await policies.get(2)).None_ == "n"


async def use_class(platform: AgentPlatform) -> None:
    class_ = platform.enterprise.class_
    assert_type(await class_.replace_names(body=["a", "b"]), None)
    names = await class_.list_names()
    assert_type(names, Sequence[str])
    assert names == ["a", "b"], names
    size = await class_.get_size()
    assert_type(size, int)
    assert size == 1, size
    assert_type(await class_.set_report(body="a,b\nÄ"), None)
    report = await class_.report()
    assert_type(report, str)
    assert report == "a,b\nÄ", report
    assert_type(await class_.set_picture(body=b"\x89PNG"), None)
    picture = class_.picture()
    assert_type(picture, Download)
    assert await picture.read() == b"\x89PNG"
    assert assert_type(await class_.probe_picture(), None) is None
    events = class_.watch_events()
    assert_type(events, Download)
    assert b"".join([chunk async for chunk in events.stream()]) == b""


async def use_payments(platform: AgentPlatform) -> None:
    payments = platform.enterprise.payments
    card = await payments.create(body=models.CardPayment(number="1"))
    assert_type(card, models.CardPayment | models.BankPayment)
    assert isinstance(card, models.CardPayment), card
    bank = await payments.create(body={"kind": "bank", "account": "1"})
    assert isinstance(bank, models.BankPayment), bank
    assert_type(bank.account, str)
    amounts = await payments.send_form(name="a b", tags=["x&", "y"])
    assert_type(amounts, Mapping[str, float])
    pet = await payments.buy_pet(body=models.Cat(kind="cat", id="pet-1", lives=9))
    assert_type(pet, models.Cat | models.Kitten | models.Pet)
    assert isinstance(pet, models.Cat), pet
    assert pet.lives == 9, pet
    assert type(await payments.buy_pet(body={"kind": "other"})) is models.Pet
    assert type(await payments.buy_pet(body={"kind": "kitten", "weeks": 3})) is models.Kitten
    await payments.limit(True, body=5, currency=978)
    await payments.limit(False, body="none", currency="EUR")


async def use_shelves(platform: AgentPlatform) -> None:
    """Use shapes that the generator alone would leave out, widen or refuse."""
    shelf = await platform.organization("org-acme").org_id_.create_shelf(
        createdAt=datetime(2026, 1, 2, tzinfo=UTC),
        created_at="by hand",
        field_1=2,
        field_1_=1,
        payment={"kind": "bank", "account": "1"},
        pair=["a", 1],
        notes={"x-a": 1},
        corners=[models.ShelfDefsCorner(angle=90)],
        code="none",
        x_since=datetime(2026, 1, 2, tzinfo=UTC),
        x_labels=["a", "b"],
    )
    assert_type(shelf, models.Shelf)
    assert_type(shelf.createdAt, datetime | None)
    assert_type(shelf.corners, Sequence[models.ShelfDefsCorner] | None)
    assert (shelf.kind, shelf.created_at, shelf.to_dict()["+1"], shelf.to_dict()["-1"]) == ("shelf", "by hand", 2, 1)
    assert isinstance(shelf.payment, models.BankPayment), shelf
    assert (shelf.pair, shelf.notes, shelf.code) == (["a", 1], {"x-a": 1}, "none"), shelf
    await platform.enterprise.class_.set_anything(body=["any", "JSON"])


def read_times() -> None:
    """Read a number that is a time as a datetime, too."""
    ticket = models.BoxTicket.from_dict({"made_at": 1767312000, "closed_at": 0.5, "closed_at_time": "noon"})
    assert_type(ticket.made_at, int)
    assert_type(ticket.made_at_time, datetime)
    assert_type(ticket.closed_at_time_, datetime | None)
    assert (ticket.made_at, ticket.made_at_time) == (1767312000, datetime(2026, 1, 2, tzinfo=UTC)), ticket
    assert (ticket.closed_at_time_, ticket.closed_at_time) == (datetime(1970, 1, 1, 0, 0, 0, 500000, UTC), "noon"), (
        ticket
    )
    assert models.BoxTicket.from_dict({"closed_at": None}).closed_at_time_ is None
    assert not hasattr(ticket, "used_at_time")
    with pytest.raises(MissingFieldError, match="BoxTicket.made_at is absent"):
        _ = models.BoxTicket.from_dict({}).made_at_time
    wrong: list[tuple[object, str]] = [(1767312000000, "1767312000000"), (float("nan"), "nan"), ("noon", "text")]
    for value, shown in wrong:
        odd = models.BoxTicket.from_dict({"made_at": value})
        assert "made_at" in repr(odd), odd
        with pytest.raises(ValueError, match=f"BoxTicket.made_at is {shown}, and not a time in seconds since 1970"):
            _ = odd.made_at_time


async def main() -> None:
    """Use a sandbox in this process, and one on a port."""
    for use in (use_boxes, use_dicts, use_policies, use_class, use_payments, use_shelves):
        async with Sandbox().client() as platform:
            await use(platform)
        sandbox = Sandbox()
        with sandbox.serve() as address:
            async with AgentPlatform(address, sandbox.token) as platform:
                await use(platform)
    page = models.BoxPage.from_dict({"items": [None, 5, {"box_id": "box-1"}], "has_next_page": None})
    assert [each.label_again for each in page.items] == [None, None, None], page
    read_times()
    boat = models.Shelf.from_dict({"payment": {"kind": "boat", "mast": 1}})
    assert type(boat.payment) not in (models.CardPayment, models.BankPayment), boat
    assert repr(boat.payment).endswith("(kind='boat', mast=1)"), boat


if __name__ == "__main__":
    asyncio.run(main())
    print("all of it works")
