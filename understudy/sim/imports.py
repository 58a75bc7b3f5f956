"""The import scope of a program: modules that lie beside it are its own, everything else is shared.

A program and the helpers beside it run with an ``__import__`` of their own, so two robots with the same helper have two
copies of its globals, and a reset or a second simulation begins with a fresh one. The copies are in ``sys.modules``
under names that begin with the scope's, where dataclasses and pickle look for them.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.machinery import EXTENSION_SUFFIXES, BuiltinImporter, ExtensionFileLoader, FileFinder, FrozenImporter
from importlib.util import find_spec, module_from_spec
from pathlib import Path, PurePosixPath
from types import CodeType, ModuleType
from typing import Any, Protocol

from understudy.assets.files import Contents
from understudy.errors import ProgramError

_OURS = "understudy"  # never a program's own, even for one that lies beside a checkout of it


class ModuleFiles(Protocol):
    """Where a scope finds its modules."""

    def path(self, name: str) -> Path:
        """Return where a file lies, or lay."""
        ...

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        ...

    def has(self, name: str) -> bool:
        """Say whether there is such a file."""
        ...

    def is_folder(self, name: str) -> bool:
        """Say whether there is such a folder."""
        ...


class ImportScope:
    """The modules of one program, from its start to its end."""

    def __init__(self, owner: str, file: str, files: ModuleFiles) -> None:
        self.name = f"understudy_program_{owner}"
        self._file, self._files = file, files
        self._folder = PurePosixPath(file).parent
        self._modules: dict[str, ModuleType] = {}  # by name as the program spells it; the program itself is ""
        self._shared: set[str] = set()  # top-level names that are not beside the program
        self._loading = threading.RLock()
        self._builtins = {**vars(builtins), "__import__": self._import}
        # the interpreter's own exit() closes standard input, which belongs to the world
        self._builtins |= {"exit": sys.exit, "quit": sys.exit}

    def run(self) -> dict[str, Any]:
        """Run the program's file and return its globals; raises ProgramError if that cannot be read."""
        try:
            code = self._code(self._file)
        except SyntaxError as problem:
            raise ProgramError(f"{problem.filename}:{problem.lineno}: {problem.msg}") from problem
        except ValueError as problem:  # a NUL in the text
            raise ProgramError(f"{self._files.path(self._file)}: {problem}") from problem
        module = self._made("", self._file)
        exec(code, module.__dict__)
        return module.__dict__

    def close(self) -> None:
        """Forget the modules."""
        for name, module in self._modules.items():
            if sys.modules.get(self._registered(name)) is module:
                del sys.modules[self._registered(name)]
        self._modules.clear()

    # ---- what the program calls

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        """Stand in for ``__import__``."""
        own = self._own_name(name, globals or {}, level)
        if own is None:
            shared = builtins.__import__(name, globals, locals, fromlist, level)
            return self._importlib() if shared is importlib else shared
        module = self._load(own)
        if not fromlist:
            return self._modules[own.partition(".")[0]]
        wanted = getattr(module, "__all__", ()) if "*" in fromlist else fromlist
        for each in wanted if hasattr(module, "__path__") else ():
            if not hasattr(module, each) and self._find(f"{own}.{each}"):
                self._load(f"{own}.{each}")
        return module

    def _importlib(self) -> ModuleType:
        """Return importlib as the program sees it: its ``import_module`` knows what lies beside the program."""
        seen = ModuleType("importlib")
        seen.__dict__.update({**vars(importlib), "import_module": self._import_module})
        return seen

    def _import_module(self, name: str, package: str | None = None) -> ModuleType:
        own = None if name.startswith(".") else self._own_name(name, {}, 0)
        return importlib.import_module(name, package) if own is None else self._load(own)

    # ---- names

    def _own_name(self, name: str, importer: Mapping[str, object], level: int) -> str | None:
        """Return the name of a module beside the program; None if it is shared."""
        if level:
            package = str(importer.get("__package__") or "").removeprefix(self.name).removeprefix(".")
            parents = package.split(".")
            if not package or level > len(parents):
                raise ImportError("attempted relative import with no known parent package")
            return ".".join([*parents[: len(parents) - level + 1], *filter(None, [name])])
        top = name.partition(".")[0]
        if top in self._modules:
            return name
        if top in self._shared:
            return None
        if self._is_shared(top):
            self._shared.add(top)
            return None
        return name

    def _is_shared(self, top: str) -> bool:
        """Say whether Python would find a module elsewhere: built in, or not beside the program.

        As always, a folder without ``__init__.py`` counts only if no path has a module of that name.
        """
        if top == _OURS or BuiltinImporter.find_spec(top) or FrozenImporter.find_spec(top):
            return True
        found = self._find(top)
        if found is None or found.endswith(".py") or self._compiled(top):
            return found is None
        return find_spec(top) is not None

    def _registered(self, name: str) -> str:
        return f"{self.name}.{name}" if name else self.name

    def _find(self, name: str) -> str | None:
        """Return the file of a module, the folder of a package without one, or None."""
        base = self._folder.joinpath(*name.split("."))
        for file in (str(base / "__init__.py"), f"{base}.py"):
            if self._files.has(file):
                return file
        if self._compiled(name) or self._files.is_folder(str(base)):
            return str(base)
        return None

    def _compiled(self, name: str) -> Any:
        """Return the specification of a compiled module."""
        where = self._files.path(str(self._folder.joinpath(*name.split(".")).parent))
        spec = FileFinder(str(where), (ExtensionFileLoader, EXTENSION_SUFFIXES)).find_spec(self._registered(name))
        return spec if spec is not None and spec.loader is not None else None

    # ---- modules

    def _load(self, name: str) -> ModuleType:
        with self._loading:
            if name in self._modules:
                return self._modules[name]
            parent, _, leaf = name.rpartition(".")
            package = self._load(parent) if parent else None
            if name not in self._modules:  # a package may have imported it
                self._execute(name)
            if package is not None:
                setattr(package, leaf, self._modules[name])
            return self._modules[name]

    def _execute(self, name: str) -> None:
        """Make a module and run it; one that fails is forgotten."""
        file = self._find(name)
        if file is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        spec = None if file.endswith(".py") else self._compiled(name)
        module = self._made(name, file) if spec is None else self._keep(name, module_from_spec(spec))
        try:
            if spec is not None:
                spec.loader.exec_module(module)
            elif file.endswith(".py"):
                exec(self._code(file), module.__dict__)
        except BaseException:
            self._modules.pop(name, None)
            sys.modules.pop(self._registered(name), None)
            raise

    def _made(self, name: str, file: str) -> ModuleType:
        """Return an empty module of the scope; a package, if it is the file of one or no file."""
        module = self._keep(name, ModuleType(self._registered(name)))
        path = self._files.path(file)
        is_package = bool(name) and (path.name == "__init__.py" or path.suffix != ".py")
        package = name if is_package else name.rpartition(".")[0]
        module.__package__ = self._registered(package) if package else ""
        if is_package:
            module.__path__ = [str(path.parent if path.name == "__init__.py" else path)]
        if path.suffix == ".py":
            module.__file__ = str(path)
        module.__dict__["__builtins__"] = self._builtins
        return module

    def _keep(self, name: str, module: ModuleType) -> ModuleType:
        self._modules[name] = sys.modules[self._registered(name)] = module
        return module

    def _code(self, file: str) -> CodeType:
        return _compiled(self._files.read(file), str(self._files.path(file)))


class FirmwareScope(ImportScope):
    """The modules of a unit's firmware: only what the run has by content, so that a restored run executes the same."""

    def __init__(self, unit: str, file: str, files: Contents) -> None:
        super().__init__(unit, file, _Contained(files))

    def run(self) -> dict[str, Any]:
        """Run the firmware's file with fresh modules and return its globals."""
        self.close()
        return super().run()

    def _compiled(self, name: str) -> None:
        """Find no compiled modules: the run has none."""


class _Contained:
    """Files by content as a scope sees them; nothing is read from the disk."""

    def __init__(self, files: Contents) -> None:
        self._files = files

    def path(self, name: str) -> Path:
        return Path(name)

    def read(self, name: str) -> bytes:
        return self._files[name]

    def has(self, name: str) -> bool:
        return name in self._files

    def is_folder(self, name: str) -> bool:
        return any(each.startswith(f"{name}/") for each in self._files)


@lru_cache(maxsize=256)  # many robots run the same program
def _compiled(source: bytes, file: str) -> CodeType:
    return compile(source, file, "exec")
