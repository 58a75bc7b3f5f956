"""Which OpenGL is found, and the thread that owns it."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from understudy.engines.gl import assets, forms, opengl, thread

needs_gl = pytest.mark.skipif(not opengl.found().kind, reason=f"no OpenGL without a screen: {opengl.found().drawer}")

ONE_PICTURE = """
import os
from understudy.engines.gl.thread import render_thread
before = dict(os.environ)
thread = render_thread()
assert thread.call(lambda: 1) == 1
assert dict(os.environ) == before
"""


@pytest.mark.parametrize(
    ("wish", "platform", "left"),
    [
        ("", "", ["egl", "osmesa"]),
        ("osmesa", "", ["osmesa"]),
        ("egl", "egl", ["egl"]),
        ("egl", "osmesa", []),
        ("glfw", "", ["egl", "osmesa"]),
        ("", "glx", []),
    ],
)
def test_the_users_own_settings_are_kept_to(wish, platform, left):
    assert opengl._candidates(wish, platform) == left


def test_a_kind_that_aborts_is_not_there(monkeypatch):
    monkeypatch.setattr(opengl.sys, "executable", "/bin/false" if os.name == "posix" else "nothing.exe")
    assert opengl._tried("egl") == ""


def test_what_is_no_kind_is_not_there():
    assert opengl._tried("nonsense") == ""


@needs_gl
def test_a_job_is_done_in_the_thread_of_opengl_and_its_errors_come_back():
    here = thread.render_thread()
    assert here.call(threading.current_thread).name == "understudy-gl"
    with pytest.raises(ZeroDivisionError):
        here.call(lambda: 1 // 0)
    assert here.call(lambda: 2) == 2


@needs_gl
def test_canvases_are_given_back_once_nobody_wants_them():
    given_back = []

    class Canvas:
        def close(self):
            given_back.append(threading.current_thread().name)

    here = thread.render_thread()
    number, _ = here.keep(Canvas)
    here.drop(number)
    here.drop(number)
    here.call(lambda: None)
    assert given_back == ["understudy-gl"]


@needs_gl
@pytest.mark.parametrize("kind", opengl.KINDS)
def test_a_process_that_has_drawn_ends_in_silence_and_leaves_the_settings_alone(kind):
    if not opengl._tried(kind):
        pytest.skip(f"no {kind} here")
    left = {name: value for name, value in os.environ.items() if name not in ("MUJOCO_GL", "PYOPENGL_PLATFORM")}
    command, settings = [sys.executable, "-c", ONE_PICTURE], {**left, "MUJOCO_GL": kind}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


FORKED = """
import os, signal
from understudy.engines.gl import thread

assert thread.render_thread() is not None
child = os.fork()
if child == 0:
    signal.alarm(60)  # a lock that was held at the fork is never released in the child
    fresh = thread._of_process(os.getpid())
    os._exit(0 if fresh is None or fresh.call(lambda: 7) == 7 else 1)
assert os.waitpid(child, 0)[1] == 0
"""


@needs_gl
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_a_render_thread_of_its_own():
    command = [
        sys.executable,
        "-W",
        "ignore::DeprecationWarning",
        "-c",
        FORKED,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def volume(form):
    a, b, c = form.corners.swapaxes(0, 1)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize(
    ("form", "exact"),
    [
        (forms.round_body(0.5, 1.0, False), np.pi * 0.25 * 2.0),
        (forms.round_body(0.5, 1.0, True), np.pi * 0.25 * 2.0 / 3.0),
        (forms.prism(((0.0, 0.0), (2.0, 0.0), (0.0, 1.0)), 0.5), 1.0),
    ],
)
def test_forms_are_closed_turned_outward_and_of_the_right_size(form, exact):
    assert volume(form) == pytest.approx(exact, rel=0.01)
    middle = form.corners.mean(axis=1)
    normal = np.cross(form.corners[:, 1] - form.corners[:, 0], form.corners[:, 2] - form.corners[:, 0])
    assert (np.einsum("ij,ij->i", normal, form.normals.mean(axis=1)) >= 0.0).all()
    assert np.linalg.norm(form.normals, axis=2) == pytest.approx(1.0)
    assert np.isfinite(middle).all()


def test_swatches_hold_every_colour_once_at_the_middle_of_its_pixel():
    colours = np.random.default_rng(1).integers(0, 256, (50, 3)).astype(np.int16)
    pixels, spots = assets.swatches(colours[np.arange(100) % 50])
    side = len(pixels)
    columns, rows = (spots * side).astype(int).T
    assert (pixels[rows, columns] == colours[np.arange(100) % 50]).all()
    assert side == 8
