"""What the files of a scene hold, decoded when somebody wants it, once: bodies of triangles, terrain, pictures.

A picture on a thing is a `Poster`; `dressed` gives a thing as triangles that know where on their posters they are,
which is all that somebody needs who draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from understudy.errors import FormatError
from understudy.formats.files import Contents
from understudy.world.scene import Ground, Scene, Solid, Wall
from understudy.world.shapes import Mesh

if TYPE_CHECKING:
    from understudy.formats import texture
    from understudy.formats.mesh_nodes import Node
    from understudy.world.skins import Poster
    from understudy.world.terrain import Terrain
    from understudy.world.triangles import Triangles

_UNWRAP = "does not say how a picture lies on it; unwrap it in the program that made it (texture coordinates)"


class Library(Mapping[str, bytes]):
    """The files that travel with a scene, by name, and the meshes, terrain and pictures in them."""

    def __init__(self, files: Contents) -> None:
        self._files = files
        self.brought: dict[str, bytes] = {}  # those that came later
        self._ignored: dict[str, list[str]] = {}
        self._levels: dict[Poster, texture.Levels] = {}
        self._nodes: dict[tuple[str, str], tuple[Node, ...]] = {}
        self._meshes: dict[Mesh, Triangles] = {}
        self._pieces: dict[Mesh, tuple[Triangles, ...]] = {}
        self._terrain: dict[Ground, Terrain] = {}
        self._grounds: dict[Ground, Triangles] = {}

    @staticmethod
    def of(files: Contents | None) -> Library:
        """Return files as a library: themselves, if they are one."""
        return files if isinstance(files, Library) else Library(files or {})

    def bring(self, name: str, data: bytes) -> None:
        """Add a file; raises FormatError if there is another one of that name."""
        if self._files.get(name, data) != data:
            raise FormatError(f"{name}: the run has another file of that name already; give it a new name")
        self.brought[name] = data
        self._files = {**self._files, name: data}

    def __getitem__(self, name: str) -> bytes:
        return self._files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    # ---- bodies

    def mesh(self, shape: Mesh) -> Triangles:
        """Return the body of a mesh (m); raises FormatError that names the file."""
        if shape not in self._meshes:
            from understudy.formats import mesh  # what decodes files is imported for those who have some

            self._meshes[shape] = mesh.body_of(self._nodes_of(shape.file, shape.up), shape)
        return self._meshes[shape]

    def _nodes_of(self, file: str, up: str) -> tuple[Node, ...]:
        """Return the nodes of a file, of which a scene may name hundreds one by one."""
        if (file, up) not in self._nodes:
            from understudy.formats import mesh

            ignored = self._ignored[file] = []
            self._nodes[file, up] = mesh.nodes(self._content(file), file, self._beside(file), up, ignored)
        return self._nodes[file, up]

    def ignored(self, shape: Mesh) -> tuple[str, ...]:
        """Return in words what of the looks of a mesh file is not shown; raises FormatError that names the file."""
        self._nodes_of(shape.file, shape.up)
        return tuple(self._ignored[shape.file])

    def pieces(self, shape: Mesh, name: str) -> tuple[Triangles, ...]:
        """Return convex bodies that are a mesh together, or it alone if its hull will do; raises EngineError."""
        if shape not in self._pieces:
            from understudy.formats import convex

            body = self.mesh(shape)
            self._pieces[shape] = (body,) if shape.hull else convex.pieces(body, name)
        return self._pieces[shape]

    def terrain(self, ground: Ground) -> Terrain | None:
        """Return the terrain of a ground, None if it is flat; raises FormatError that names the file."""
        if ground.heights is None:
            return None
        if ground not in self._terrain:
            from understudy.formats import elevation

            name = ground.heights.file
            self._terrain[ground] = elevation.terrain(self._content(name), ground, self._beside(name))
        return self._terrain[ground]

    def ground_mesh(self, ground: Ground) -> Triangles | None:
        """Return the triangles of a ground that is a mesh, which rays see instead of its terrain; else None."""
        if ground.heights is None:
            return None
        from understudy.formats import elevation

        name = ground.heights.file
        if not elevation.is_mesh(self._content(name), ground.heights):
            return None
        if ground not in self._grounds:
            self._grounds[ground] = elevation.ground_mesh(self._content(name), ground, self._beside(name))
        return self._grounds[ground]

    # ---- pictures

    def poster(self, thing: Wall | Solid) -> Poster | None:
        """Return the picture that a scene puts on a thing, or None; raises FormatError that names the file."""
        if not thing.picture:
            return None
        if thing.picture not in self._files:
            raise FormatError(
                f"{thing.picture}: no such file among those of the scene; it is the picture of {thing.name}"
            )
        from understudy.world.skins import Poster

        return Poster(thing.picture, self._files[thing.picture], under=thing.colour)

    def body(self, solid: Solid) -> Triangles:
        """Return a mesh with the pictures that it shows: that of the scene, or its own; raises FormatError."""
        assert isinstance(solid.shape, Mesh)
        body, poster = self.mesh(solid.shape), self.poster(solid)
        if poster is None:
            return body
        if body.skin is None or not body.skin.is_known:
            raise FormatError(f"{solid.shape.file}: {_UNWRAP}, or leave the picture of {solid.name} out")
        return replace(body, skin=body.skin.showing(poster))

    def dressed(self, thing: Wall | Solid) -> Triangles | None:
        """Return a thing as triangles with its pictures on them; None if it has none; raises FormatError.

        A thing is at 0, a wall where it stands (m).
        """
        if isinstance(thing, Solid) and isinstance(thing.shape, Mesh):
            body = self.body(thing)
            return body if body.skin and body.skin.posters else None
        poster = self.poster(thing)
        if poster is None:
            return None
        from understudy.formats import texture
        from understudy.world import wrapping

        colour = texture.rgb(thing.colour)
        if isinstance(thing, Wall):
            return wrapping.wrapped_wall(thing, poster, colour)
        return wrapping.wrapped(thing.shape, poster, colour)

    def levels(self, poster: Poster) -> texture.Levels:
        """Return a picture decoded, and smaller ones; raises FormatError if it is damaged, or all are too many."""
        if poster not in self._levels:
            from understudy.formats import texture

            known = sum(int(kept.sizes[0, 1] * kept.sizes[0, 2]) for kept in self._levels.values())
            if known + texture.pixel_count(poster.data, poster.name) > texture.MOST_PIXELS:
                raise FormatError(f"{poster.name}: {texture.TOO_MANY}")
            self._levels[poster] = texture.levels(texture.decoded(poster))
        return self._levels[poster]

    def open_pictures(self, scene: Scene) -> None:
        """Decode every picture that lies on things of a scene; raises FormatError that names the file."""
        things: tuple[Wall | Solid, ...] = (*scene.walls, *scene.objects)
        for thing in things:
            if isinstance(thing, Solid) and isinstance(thing.shape, Mesh):
                skin = self.body(thing).skin
                posters = skin.posters if skin else ()
            else:
                posters = tuple(filter(None, (self.poster(thing),)))
            for poster in posters:
                self.levels(poster)

    # ---- files

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
