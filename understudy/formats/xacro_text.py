"""Xacro files: programs in XML that make URDF files, expanded by the package xacro where that is installed.

Their expressions are Python of their author, and they may include any file. So one is expanded only if its user has
opened it by its name, ``.xacro``, and never if it came from elsewhere, as uploads to the studio do.
"""

from __future__ import annotations

import io
import pathlib
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any

from understudy.errors import FormatError
from understudy.formats import fence
from understudy.formats.urdf_files import packages

SUFFIX = ".xacro"
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_WITHIN = ("urdf", "xacro", "robots")  # folders of a package that hold such files
_ADVICE = "make a URDF file of it (xacro FILE.xacro > FILE.urdf) and open that"


def is_xacro(text: str, file: str) -> bool:
    """Say whether a file must be expanded; what xacro has made only speaks of it in comments."""
    if file.lower().endswith(SUFFIX):
        return True
    bare = _COMMENT.sub("", text)
    return "<xacro:" in bare and ("${" in bare or "<link" not in bare)


def expand(file: str, folder: pathlib.Path | None) -> str:
    """Return the URDF text that a file makes; raises FormatError that says what is missing."""
    if fence.is_up() or folder is None:
        raise FormatError(f"{file}: a xacro file is a program, so it is not run here; {_ADVICE}")
    if not file.lower().endswith(SUFFIX):
        raise FormatError(f"{file}: a xacro file, which is a program; call it {SUFFIX} if you trust it, or {_ADVICE}")
    try:
        import xacro
    except ImportError:
        raise FormatError(
            f"{file}: a xacro file needs the package xacro; get it with: pip install 'understudy[xacro]', or {_ADVICE}"
        ) from None
    path = folder / pathlib.PurePath(file).name
    try:
        with _finding(folder.resolve()), redirect_stderr(io.StringIO()):  # it warns of old spellings
            return str(xacro.process_file(str(path.resolve())).toprettyxml(indent=" "))
    except FormatError:
        raise
    except Exception as problem:  # whatever its author has written
        words = re.sub(r"<class '[^']*'>: ", "", " ".join(str(problem).split())) or repr(problem)
        raise FormatError(f"{file}: xacro cannot expand it: {words[:300]}") from None


@contextmanager
def _finding(home: pathlib.Path) -> Iterator[None]:
    """Let ``$(find package)`` look where ``package://`` does; without ROS, xacro itself knows no place."""
    from xacro import substitution_args

    def find(package: str) -> str:
        own = home.parent if home.name in _WITHIN else None  # which may have been copied under another name
        found = next(packages(package, home), own)
        if found is None:
            raise FormatError(
                f"$(find {package}): no such package above or beside {home.name}; name its folder in ROS_PACKAGE_PATH"
            )
        return str(found)

    module: Any = substitution_args
    before = module._eval_find
    module._eval_find = find
    try:
        yield
    finally:
        module._eval_find = before
