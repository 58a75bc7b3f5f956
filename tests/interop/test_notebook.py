"""The notebook that ships runs in a real Jupyter kernel and shows what it promises."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parent.parent.parent / "examples" / "notebook.ipynb"

pytestmark = pytest.mark.interop


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Return what each code cell shows: by its source, the kinds of data."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    folder = str(tmp_path_factory.mktemp("notebook"))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return {
        cell.source: {kind: text for out in cell.outputs for kind, text in out.get("data", {}).items()}
        for cell in cells
    }


def ending(shown, line):
    """Return what the cell that ends with a line shows."""
    return next(data for source, data in shown.items() if source.endswith(line))


@pytest.mark.parametrize("line", ["sim", "scout"])
def test_a_simulation_and_a_robot_show_a_map(shown, line):
    assert "<svg" in ending(shown, f"\n{line}")["text/html"]


@pytest.mark.parametrize("line", ["sim.plot(recording);", 'scout.read("front"), ".");'])
def test_plots_are_pictures(shown, line):
    assert "image/png" in ending(shown, line)


def test_a_recording_is_a_table(shown):
    assert "scout/pose.x_m" in ending(shown, ".tail()")["text/html"]


def test_the_notebook_ships_without_results():
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    assert all(cell.cell_type != "code" or (not cell.outputs and cell.execution_count is None) for cell in cells)
