"""What grows with what: a call with the contract, an item with the pages before it, throughput with concurrency.

`python growth.py FOLDER [--quick]`, in the environment of `environment.py`; writes `growth.json` there for `plot.py`.
"""

from __future__ import annotations

import argparse
import copy
import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from environment import ROOT, python, run
from page_server import page_server

HERE = Path(__file__).parent
OPERATIONS = (10, 75, 500)
PAGES = (1, 5, 20, 100, 500)
CONCURRENCY = (1, 10, 30, 100, 300, 1000)
PEERS = ("bare_httpx", "sdk", "sdk_aiohttp")

# Those that every contract keeps: what is measured.
KEPT = ("get_organization_session", "list_organization_sessions")
METHODS = ("get", "put", "post", "patch", "delete")

Points = dict[str, dict[str, dict[int, float]]]


def contract(document: dict[str, Any], count: int) -> dict[str, Any]:
    """The contract with *count* operations: the first of its own, or copies of one that lists."""
    made = copy.deepcopy(document)
    places = [(path, method) for path, item in made["paths"].items() for method in METHODS if method in item]
    kept = [place for place in places if made["paths"][place[0]][place[1]]["operationId"] in KEPT]
    rest = [place for place in places if place not in kept]
    for path, method in rest[max(0, count - len(kept)) :]:
        del made["paths"][path][method]
    made["paths"] = {path: item for path, item in made["paths"].items() if any(method in item for method in METHODS)}
    for item in made["paths"].values():
        for method in METHODS:
            for response in item.get(method, {}).get("responses", {}).values():
                response.pop("links", None)
    for number in range(count - len(places)):
        add_copy(made, number)
    return made


def add_copy(document: dict[str, Any], number: int) -> None:
    """One more operation: the list of sessions, under a path, a tag and an id of its own."""
    source = document["paths"]["/v3/organizations/{org_id}/sessions"]
    item = {name: copy.deepcopy(value) for name, value in source.items() if name not in METHODS}
    operation = without_ids(source["get"])
    operation["operationId"] = f"list_organization_things{number}"
    operation["tags"] = [f"things{number}"]
    document["paths"][f"/v3/organizations/{{org_id}}/things{number}"] = {**item, "get": operation}
    document.setdefault("tags", []).append({"name": f"things{number}", "description": "Things."})


def without_ids(value: Any) -> Any:
    """A copy without gaps and rules, whose ids stand once in a contract."""
    if isinstance(value, list):
        return [without_ids(member) for member in value]
    if isinstance(value, dict):
        return {name: without_ids(member) for name, member in value.items() if name not in ("x-not-shown", "x-rules")}
    return value


def measured(folder: Path, arguments: list[str], *first: Path) -> str:
    """What the interpreter of the environment prints, with packages from *first*."""
    speed = [folder / "speed"] if "sdk_aiohttp" in arguments else []
    return run([python(folder), *arguments], [*first, HERE, *speed])


def by_operations(folder: Path, url: str, rounds: int) -> Points:
    """Start-up and CPU of a call of the SDK, whose contract has so many operations."""
    points: Points = {"start": {"sdk": {}}, "call_cpu": {"sdk": {}}, "catalogue": {"sdk": {}}}
    document = yaml.safe_load((ROOT / "openapi.yaml").read_text("utf-8"))
    client = "import agent_session_platform as a; a.AgentPlatform('https://e.example', 'x')"
    start = f"import time; begun = time.perf_counter(); {client}"
    catalogue = "import time, agent_session_platform as a; begun = time.perf_counter(); len(a.operations)"
    for count in OPERATIONS:
        with TemporaryDirectory() as scratch:
            root = Path(scratch)
            (root / "openapi.yaml").write_text(yaml.safe_dump(contract(document, count), sort_keys=False), "utf-8")
            shutil.copy(ROOT / "generator-config.yml", root)
            subprocess.run([sys.executable, "-m", "codegen.render.generate", scratch], cwd=ROOT, check=True)
            for figure, code in (("start", start), ("catalogue", catalogue)):
                timed = ["-c", f"{code}; print(time.perf_counter() - begun)"]
                measured(folder, timed, root / "generated")
                taken = [float(measured(folder, timed, root / "generated")) for _ in range(rounds * 3)]
                points[figure]["sdk"][count] = statistics.median(taken)
            measure = [str(HERE / "measure.py"), "sdk", url, "1", "calls"]
            calls = [json.loads(measured(folder, measure, root / "generated"))["call_cpu"] for _ in range(rounds)]
            points["call_cpu"]["sdk"][count] = statistics.median(calls)
    return points


def by_workload(folder: Path, url: str, rounds: int) -> Points:
    """CPU of an item against the pages of its list, and calls a second against how many are under way at once."""
    points: Points = {"item_cpu": {}, "throughput": {}}
    for figure, counts in (("item_cpu", PAGES), ("throughput", CONCURRENCY)):
        for name in PEERS:
            points[figure][name] = {}
            for count in counts:
                arguments = [str(HERE / "scale.py"), name, url, figure, str(count)]
                taken = [float(measured(folder, arguments)) for _ in range(rounds)]
                points[figure][name][count] = statistics.median(taken)
    return points


def tell(points: Points) -> None:
    """Print the points, a line for each curve."""
    units = {"start": (1e3, "ms"), "catalogue": (1e3, "ms"), "throughput": (1, "/s")}
    for figure, curves in points.items():
        scale, unit = units.get(figure, (1e6, "µs"))
        for name, curve in curves.items():
            shown = "  ".join(f"{count}: {value * scale:.1f} {unit}" for count, value in curve.items())
            print(f"{figure:<12}{name:<12}{shown}")


def main() -> None:
    """Read the command line, measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="one round instead of several")
    given = parser.parse_args()
    folder, rounds = given.folder.resolve(), 1 if given.quick else 3
    with page_server() as url:
        points = by_operations(folder, url, rounds) | by_workload(folder, url, rounds)
    tell(points)
    (folder / "growth.json").write_text(json.dumps(points, indent=1), "utf-8")


if __name__ == "__main__":
    main()
