"""What there is: labs with their knobs, presets and figures."""

from __future__ import annotations

import difflib
import html
import inspect
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Mapping, Optional

from ._errors import Error
from ._figure import Figure, figure
from ._server import server


@dataclass(frozen=True)
class Parameter:
    """A knob of a lab."""

    id: str
    type: str
    label: str
    help: str
    default: Any
    min: Optional[float] = None
    max: Optional[float] = None
    unit: str = ""
    choices: tuple[str, ...] = field(default=())

    @property
    def expected(self) -> str:
        """What it takes: "16 to 512", "one of none, rope"."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.min is not None:
            return f"{self.min} to {self.max}"
        return self.type


class _Explained:
    """An attribute that each lab has of its own, read when it is asked for; the class has another one, or none."""

    def __init__(self, of_a_lab: Callable[[Any], Any], of_all: Optional[str]) -> None:
        self._of_a_lab, self._of_all = of_a_lab, of_all

    def __get__(self, lab: Any, owner: Any) -> Any:
        if lab is not None:
            return self._of_a_lab(lab)
        if self._of_all is None:
            raise AttributeError
        return self._of_all


class Lab:
    """One lab. Called with knobs and options it is a figure: `labs().rotary(base=100, width="85mm")`."""

    def __init__(self, id: str, title: str, question: str) -> None:
        self.id = id
        self.title = title
        self.question = question
        self._found: dict[str, Any] = {}

    def _details(self) -> dict[str, Any]:
        if not self._found:
            self._found = server.call("labs", lab=self.id)["result"]["labs"][0]
        return self._found

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Its knobs, by their ids."""
        known = ("id", "type", "label", "help", "default", "min", "max", "unit")
        return {
            one["id"]: Parameter(
                **{name: one[name] for name in known if one.get(name) is not None or name == "default"},
                choices=tuple(one.get("choices", ())),
            )
            for one in self._details()["parameters"]
        }

    @property
    def presets(self) -> dict[str, str]:
        """Its presets: what each teaches, by its id."""
        return {one["id"]: one["teaches"] for one in self._details()["presets"]}

    @property
    def figures(self) -> dict[str, str]:
        """The figures and plots of the page that it begins with: their titles, by their ids."""
        return self.figures_of()

    def figures_of(self, **knobs: Any) -> dict[str, str]:
        """The same of the page with these knobs, or preset=..."""
        words: dict[str, Any] = {"preset": knobs.pop("preset")} if "preset" in knobs else {}
        if knobs:
            words["set"] = knobs
        if not words:
            found = self._details()["figures"]
        else:
            found = server.call("labs", lab=self.id, names=True, **words)["result"]["figures"]
        names: dict[str, str] = {}
        for one in found:
            names[one["id"]] = one["title"]
            for plot in one["plots"]:
                names.setdefault(plot["id"], plot["title"])
        return names

    def __call__(self, **words: Any) -> Figure:
        return figure(self.id, **words)

    def _signature(self) -> inspect.Signature:
        keyword = inspect.Parameter.KEYWORD_ONLY
        knobs = [inspect.Parameter(p.id, keyword, default=p.default) for p in self.parameters.values()]
        taken = {knob.name for knob in knobs}
        more = [inspect.Parameter(name, keyword, default=None) for name in server.hello()["options"] if name not in taken]
        return inspect.Signature(knobs + more, return_annotation=Figure)

    def _described(self) -> str:
        lines = [f"{self.title}: {self.question}", "", "Knobs:"]
        for one in self.parameters.values():
            lines.append(f"    {one.id:<16}{one.expected} (default {one.default!r}): {one.help}")
        lines += ["", "Presets:"]
        lines += [f"    {name:<16}{teaches}" for name, teaches in self.presets.items()]
        lines += ["", "Figures:"]
        lines += [f"    {name:<16}{title}" for name, title in self.figures.items()]
        return "\n".join(lines)

    __signature__ = _Explained(_signature, None)
    __doc__ = _Explained(_described, __doc__)  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<attnscope lab {self.id}: {self.question}>"


class Labs(Mapping[str, Lab]):
    """The labs by their ids: `labs()["rotary"]` or `labs().rotary`."""

    def __init__(self, all: Mapping[str, Lab]) -> None:
        self._all = dict(all)

    def __getitem__(self, id: str) -> Lab:
        return self._all[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __getattr__(self, id: str) -> Lab:
        if id.startswith("_"):
            raise AttributeError(id)
        try:
            return self._all[id]
        except KeyError:
            near = difflib.get_close_matches(id, self._all, 1)
            raise AttributeError(f"expected a lab, got {id}" + (f"; did you mean {near[0]}?" if near else "")) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._all]

    def __repr__(self) -> str:
        return "\n".join(f"{one.id:<20}{one.question}" for one in self._all.values())

    def _repr_html_(self) -> str:
        rows = [f"<tr><td><code>{one.id}</code></td><td>{html.escape(one.question)}</td></tr>" for one in self.values()]
        return f"<table>{''.join(rows)}</table>"


def labs() -> Labs:
    """All labs, by their ids."""
    if not _kept:
        for one in server.call("labs", names=True)["result"]["labs"]:
            _kept[one["id"]] = Lab(one["id"], one["title"], one["question"])
    if not _kept:
        raise Error("expected labs, got none")
    return Labs(_kept)


_kept: dict[str, Lab] = {}
