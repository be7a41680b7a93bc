"""Which task may be right above which on the task stack, derived from the source of the rules.

Every kernel is read as a program that pushes tasks: `push(s, Proc.X)`,
`ask(s, Proc.X, ...)` and calls of other kernels, in order; branches may or may not be taken. What
a kernel does is summed up as pairs (below, above) and the tasks that may be on top when it
returns; BASE is the top when it was called. Summaries grow until none changes. The result has
every pair that can come up, and some that cannot.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from agemonia_env.rulesets import agemonia

BASE, BOTTOM = "BASE", "BOTTOM"
ENUMS = "Proc", "Decision"
RULESETS = Path(agemonia.__file__).parents[1]
DISPATCH = ("run", "run_turns_and_moves", "run_rolls_and_attacks", "run_enemies")  # of flow.py

Names = frozenset[str]
Key = tuple[str, str]  # module, function
Bound = tuple[tuple[tuple[str, str], Names], ...]  # work and decisions, by (name, enum)
Call = tuple[Key, Bound]


@dataclass
class Summary:
    """What a kernel leaves on the stack."""

    pairs: set[tuple[str, str]] = field(default_factory=set)
    tops: set[str] = field(default_factory=lambda: {BASE})


class Source:
    """The kernels of a ruleset."""

    def __init__(self, ruleset: str) -> None:
        folder = RULESETS / ruleset / "core"
        files = [*(folder / "rules").glob("*.py"), folder / "flow.py", folder / "effects.py"]
        self.kernels: dict[Key, ast.FunctionDef] = {}
        self.imported: dict[Key, Key] = {}
        for path in filter(Path.is_file, files):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef):
                    self.kernels[path.stem, node.name] = node
                elif isinstance(node, ast.ImportFrom):
                    module = (node.module or "").rpartition(".")[2]
                    for name in node.names:
                        self.imported[path.stem, name.asname or name.name] = module, name.name
        self.summaries: dict[Call, Summary] = {}
        self.asked: defaultdict[str, set[str]] = defaultdict(set)  # work, by the decision it asks

    def summary(self, call: Call) -> Summary:
        """The summary of a call so far."""
        return self.summaries.setdefault(call, Summary())

    def called(self, module: str, function: ast.expr) -> Key | None:
        """The kernel that an expression names; None for other functions."""
        key = None
        if isinstance(function, ast.Name):
            key = module, function.id
            key = key if key in self.kernels else self.imported.get(key)
        elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            place = self.imported.get((module, function.value.id), ("", function.value.id))[1]
            key = place, function.attr
        return key if key in self.kernels else None

    def work(self) -> dict[str, list[ast.stmt]]:
        """The calls that flow.py dispatches for each task."""
        found = {}
        for name in DISPATCH:
            for node in ast.walk(self.kernels.get(("flow", name), ast.Pass())):
                if isinstance(node, ast.match_case):
                    found |= dict.fromkeys(members(node.pattern, "Proc"), node.body)
        return found

    def settle(self) -> None:
        """Sum up all calls that are known, and those they lead to, until nothing changes."""
        grown = True
        while grown:
            grown = False
            for call, known in list(self.summaries.items()):
                size = len(known.pairs), len(known.tops)
                Reading(self, call).read(known)
                grown |= size != (len(known.pairs), len(known.tops))


def members(node: ast.AST, enum: str) -> list[str]:
    """All members of an enum that an expression names."""
    return [
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute) and getattr(one.value, "id", None) == enum
    ]


class Reading:
    """One pass through a kernel."""

    def __init__(self, source: Source, call: Call) -> None:
        (self.module, name), bound = call
        self.source, self.bound = source, dict(bound)
        self.body = source.kernels[self.module, name].body
        self.pairs: set[tuple[str, str]] = set()
        self.returned: set[str] = set()
        self.broken: set[str] = set()

    def read(self, known: Summary) -> None:
        """Add what this pass finds."""
        self.returned |= self.block(self.body, {BASE})
        known.pairs |= self.pairs
        known.tops |= self.returned

    def block(self, statements: Iterable[ast.stmt], tops: set[str]) -> set[str]:
        for statement in statements:
            if not tops:
                break
            tops = self.statement(statement, tops)
        return tops

    def statement(self, node: ast.stmt, tops: set[str]) -> set[str]:
        """What may be on top after a statement; nothing where it is not passed."""
        match node:
            case ast.Return():
                self.returned |= self.expression(node, tops)
                return set()
            case ast.If():
                tops = self.expression(node.test, tops)
                return self.block(node.body, set(tops)) | self.block(node.orelse, set(tops))
            case ast.While() | ast.For():
                return self.loop(node, tops)
            case ast.Match():
                tops = self.expression(node.subject, tops)
                return tops.union(*(self.block(case.body, set(tops)) for case in node.cases))
            case ast.Assign(targets=[ast.Name(id=name)]):
                for enum in ENUMS:
                    known = self.bound.get((name, enum), frozenset())
                    self.bound[name, enum] = known | self.named(node.value, enum)
            case ast.Break() | ast.Continue():
                self.broken |= tops
                return set()
        return self.expression(node, tops)

    def loop(self, node: ast.While | ast.For, tops: set[str]) -> set[str]:
        """Once more until no further work comes up."""
        before: set[str] = set()
        while before != tops:
            before = set(tops)
            tops = tops | self.block(node.body, set(tops)) | self.broken
        return tops

    def expression(self, node: ast.AST, tops: set[str]) -> set[str]:
        """What calls within an expression put on top, inner ones first."""
        for child in ast.iter_child_nodes(node):
            tops = self.expression(child, tops)
        return self.make(node, tops) if isinstance(node, ast.Call) else tops

    def make(self, node: ast.Call, tops: set[str]) -> set[str]:
        if isinstance(node.func, ast.Name) and node.func.id in ("push", "ask"):
            put = self.named(node.args[1], "Proc")
            assert put, f"{self.module}: {ast.unparse(node)}"
            if node.func.id == "ask":
                for decision in self.named(node.args[2], "Decision"):
                    self.source.asked[decision] |= put
            self.pairs |= {(below, above) for below in tops for above in put}
            return set(put)
        key = self.source.called(self.module, node.func)
        if key is None:
            return tops
        parameters = [one.arg for one in self.source.kernels[key].args.args]
        given = {
            (name, enum): self.named(value, enum)
            for name, value in zip(parameters, node.args, strict=False)
            for enum in ENUMS
        }
        bound = tuple(sorted((name, some) for name, some in given.items() if some))
        found = self.source.summary((key, bound))
        for below, above in found.pairs:
            self.pairs |= {(top, above) for top in (tops if below == BASE else {below})}
        return {top for one in found.tops for top in (tops if one == BASE else {one})}

    def named(self, node: ast.expr, enum: str) -> Names:
        """The members of an enum that an argument is; empty if it is none."""
        match node:
            case ast.Name(id=name):
                return self.bound.get((name, enum), frozenset())
            case ast.IfExp(body=one, orelse=other):
                return self.named(one, enum) | self.named(other, enum)
            case ast.Attribute():
                return frozenset(members(node, enum))
        return frozenset()


def order_of(ruleset: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """By the name of each task: those that may lie right above it, or at the BOTTOM.

    And by the name of each decision: the work that asks it.
    """
    source = Source(ruleset)
    arguments = source.kernels["flow", "run"].args
    calls: dict[str, Call] = {}
    for name, body in source.work().items():
        key = "flow", f"do {name}"
        source.kernels[key] = ast.FunctionDef(key[1], arguments, body, [])
        calls[name] = key, ((("proc", "Proc"), frozenset({name})),)
    first: Call = ("setup", "set_up"), ()
    for call in (first, *calls.values()):
        source.summary(call)
    source.settle()
    on: defaultdict[str, set[str]] = defaultdict(set)
    for below, above in source.summary(first).pairs:
        on[above].add(BOTTOM if below == BASE else below)
    while True:
        size = sum(map(len, on.values()))
        for name, call in calls.items():
            for below, above in source.summary(call).pairs if on[name] else ():
                on[above] |= on[name] if below == BASE else {below}
        if size == sum(map(len, on.values())):
            break
    found: defaultdict[str, set[str]] = defaultdict(set)
    for above, places in on.items():
        for below in places:
            found[below].add(above)
    return dict(found), dict(source.asked)
