"""MobileSim's start page: choose or upload a map, or none; choose or type a robot model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue

from nicegui import ui

from understudy.frozen import frozen
from understudy.studio.map_choice import MapChoice, chooser


@frozen
class Choice:
    """What a user has chosen to start with; no *map* means an empty world."""

    map: MapChoice | None
    models: tuple[str, ...]


class StartPage:
    """A start page; the first user who presses Start decides."""

    def __init__(self, folders: Sequence[Path], models: Sequence[str], default: str) -> None:
        self._folders, self._models, self._default = folders, models, default
        self._choices: SimpleQueue[Choice] = SimpleQueue()
        self._starting = False
        self._problem = ""  # what was wrong with the last choice

    def refuse(self, reason: str) -> None:
        """Show what is wrong with the choice, and let users choose again."""
        self._problem, self._starting = reason, False

    def wait(self, seconds: float) -> Choice | None:
        """Return the choice, None if there is none within that time."""
        try:
            return self._choices.get(timeout=seconds)
        except Empty:
            return None

    def build(self) -> None:
        """Build the page."""
        picked: list[MapChoice | None] = [None]
        with ui.card().classes("full-width"):
            ui.label("Map").classes("text-weight-bold")
            said = ui.label("no map: an empty world").classes("us-quiet").mark("map-chosen")

            def choose(chosen: MapChoice | None) -> None:
                picked[0] = chosen
                said.text = chosen.path.name if chosen else "no map: an empty world"

            chooser(self._folders, choose)
            ui.button("No map", on_click=lambda: choose(None)).props("flat dense no-caps").mark("no-map").tooltip(
                "start in an empty world"
            )
        with ui.card().classes("full-width"):
            ui.label("Robot").classes("text-weight-bold")
            model = self._model_field()
            count = ui.number("number of robots", value=1, min=0, max=100).props("dense outlined").mark("start-count")
            count.tooltip("each robot gets its own port")

        def start() -> None:
            self._problem, self._starting = "", True
            self._choices.put(Choice(picked[0], (model(),) * int(count.value or 0)))

        button = ui.button("Start", icon="play_arrow", on_click=start).props("no-caps").mark("start-go")
        button.tooltip("start the simulation").props("aria-describedby=start-problem")
        problem = ui.label("").classes("text-negative").props("id=start-problem role=alert").mark("start-problem")

        def look() -> None:
            problem.text = self._problem
            button.props(add="loading") if self._starting else button.props(remove="loading")

        ui.timer(0.3, look)

    def _model_field(self) -> Callable[[], str]:
        """Build the model field; returns a function that returns the model. Typed text counts even without Enter."""
        typed = [""]

        def note(text: object) -> None:
            typed[0] = str(text)

        box = ui.element("div").classes("full-width")
        box.on("input", lambda event: note(event.args), js_handler="(event) => emit(event.target.value)")
        with box:
            model = ui.select(
                list(self._models), value=self._default, with_input=True, new_value_mode="add-unique", label="model"
            )
            model.props("dense outlined options-dense input-debounce=0").mark("start-model")
            model.tooltip("choose a model, or type the name of a model or robot file")
            model.on("update:model-value", lambda: note(""))
        return lambda: typed[0].strip() or str(model.value)
