"""What the files of a scene hold, decoded when somebody wants it, once: bodies of triangles and terrain."""

from __future__ import annotations

from pathlib import PurePosixPath

from understudy.errors import FormatError
from understudy.formats import convex, elevation, mesh
from understudy.formats.files import Contents
from understudy.formats.mesh_nodes import Node
from understudy.world.scene import Ground
from understudy.world.shapes import Mesh
from understudy.world.terrain import Terrain
from understudy.world.triangles import Triangles


class Library:
    """Meshes and terrain of the files that travel with a scene."""

    def __init__(self, files: Contents) -> None:
        self._files = files
        self._nodes: dict[tuple[str, str], tuple[Node, ...]] = {}
        self._meshes: dict[Mesh, Triangles] = {}
        self._pieces: dict[Mesh, tuple[Triangles, ...]] = {}
        self._terrain: dict[Ground, Terrain] = {}

    def mesh(self, shape: Mesh) -> Triangles:
        """Return the body of a mesh (m); raises FormatError that names the file."""
        if shape not in self._meshes:
            self._meshes[shape] = mesh.body_of(self._nodes_of(shape.file, shape.up), shape)
        return self._meshes[shape]

    def _nodes_of(self, file: str, up: str) -> tuple[Node, ...]:
        """Return the nodes of a file, of which a scene may name hundreds one by one."""
        if (file, up) not in self._nodes:
            self._nodes[file, up] = mesh.nodes(self._content(file), file, self._beside(file), up)
        return self._nodes[file, up]

    def pieces(self, shape: Mesh, name: str) -> tuple[Triangles, ...]:
        """Return convex bodies that are a mesh together, or it alone if its hull will do; raises EngineError."""
        if shape not in self._pieces:
            body = self.mesh(shape)
            self._pieces[shape] = (body,) if shape.hull else convex.pieces(body, name)
        return self._pieces[shape]

    def terrain(self, ground: Ground) -> Terrain | None:
        """Return the terrain of a ground, None if it is flat; raises FormatError that names the file."""
        if ground.heights is None:
            return None
        if ground not in self._terrain:
            name = ground.heights.file
            self._terrain[ground] = elevation.terrain(self._content(name), ground, self._beside(name))
        return self._terrain[ground]

    def ground_mesh(self, ground: Ground) -> Triangles | None:
        """Return the triangles of a ground that is a mesh, which rays see instead of its terrain; else None."""
        if ground.heights is None:
            return None
        name = ground.heights.file
        if not elevation.is_mesh(self._content(name), ground.heights):
            return None
        return elevation.ground_mesh(self._content(name), ground, self._beside(name))

    def _content(self, name: str) -> bytes:
        if name not in self._files:
            raise FormatError(f"{name}: no such file")
        return self._files[name]

    def _beside(self, name: str) -> dict[str, bytes]:
        """Return the files below the folder of a file, by their names as seen from there."""
        folder = PurePosixPath(name).parent
        return {
            str(PurePosixPath(other).relative_to(folder)): data
            for other, data in self._files.items()
            if PurePosixPath(other).is_relative_to(folder)
        }
