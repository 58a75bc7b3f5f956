"""The decoded files of a scene, cached and decoded on demand: triangle meshes, terrain, pictures.

A picture on a thing is a `TextureFile`; `textured` returns a thing as triangles with texture coordinates,
which is all that a renderer needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from understudy.assets.files import Contents
from understudy.errors import FormatError
from understudy.world.scene import Ground, Scene, Solid, Wall
from understudy.world.shapes import Mesh

if TYPE_CHECKING:
    from understudy.assets.meshes.nodes import Node
    from understudy.assets.pictures import texture
    from understudy.world.face_textures import TextureFile
    from understudy.world.terrain import Terrain
    from understudy.world.triangles import Triangles

_UNWRAP = "has no texture coordinates; UV-unwrap it in your modelling program"


class Library(Mapping[str, bytes]):
    """The files of a scene, by name, and the meshes, terrain and pictures in them."""

    def __init__(self, files: Contents) -> None:
        self._files = files
        self.brought: dict[str, bytes] = {}  # files added later
        self._ignored: dict[str, list[str]] = {}
        self._levels: dict[TextureFile, texture.Levels] = {}
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
        """Add a file; raises FormatError if a different file has that name."""
        if self._files.get(name, data) != data:
            raise FormatError(f"{name}: the run already has a different file of that name; choose another name")
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
            from understudy.assets.meshes import mesh  # decoders are imported only when needed

            self._meshes[shape] = mesh.body_of(self._nodes_of(shape.file, shape.up), shape)
        return self._meshes[shape]

    def _nodes_of(self, file: str, up: str) -> tuple[Node, ...]:
        """Return the nodes of a file, cached, since a scene may name hundreds of them."""
        if (file, up) not in self._nodes:
            from understudy.assets.meshes import mesh

            ignored = self._ignored[file] = []
            self._nodes[file, up] = mesh.nodes(self._content(file), file, self._beside(file), up, ignored)
        return self._nodes[file, up]

    def ignored(self, shape: Mesh) -> tuple[str, ...]:
        """Return what is not shown of the materials of a mesh file; raises FormatError that names the file."""
        self._nodes_of(shape.file, shape.up)
        return tuple(self._ignored[shape.file])

    def pieces(self, shape: Mesh, name: str) -> tuple[Triangles, ...]:
        """Return the convex pieces of a mesh, or the mesh alone if its hull is used; raises EngineError."""
        if shape not in self._pieces:
            from understudy.assets import convex

            body = self.mesh(shape)
            self._pieces[shape] = (body,) if shape.hull else convex.pieces(body, name)
        return self._pieces[shape]

    def terrain(self, ground: Ground) -> Terrain | None:
        """Return the terrain of a ground, None if it is flat; raises FormatError that names the file."""
        if ground.heights is None:
            return None
        if ground not in self._terrain:
            from understudy.assets.heights import elevation

            name = ground.heights.file
            self._terrain[ground] = elevation.terrain(self._content(name), ground, self._beside(name))
        return self._terrain[ground]

    def ground_mesh(self, ground: Ground) -> Triangles | None:
        """Return the triangles of a mesh ground, used for ray casting instead of its terrain; else None."""
        if ground.heights is None:
            return None
        from understudy.assets.heights import elevation

        name = ground.heights.file
        if not elevation.is_mesh(self._content(name), ground.heights):
            return None
        if ground not in self._grounds:
            self._grounds[ground] = elevation.ground_mesh(self._content(name), ground, self._beside(name))
        return self._grounds[ground]

    # ---- pictures

    def texture_file(self, thing: Wall | Solid) -> TextureFile | None:
        """Return the picture that a scene puts on a thing, or None; raises FormatError that names the file."""
        if not thing.picture:
            return None
        if thing.picture not in self._files:
            raise FormatError(f"{thing.picture}: no such file; it is the picture of {thing.name}")
        from understudy.world.face_textures import TextureFile

        return TextureFile(thing.picture, self._files[thing.picture], under=thing.colour)

    def body(self, solid: Solid) -> Triangles:
        """Return a mesh with its textures: that of the scene, or its own; raises FormatError."""
        assert isinstance(solid.shape, Mesh)
        body, texture_file = self.mesh(solid.shape), self.texture_file(solid)
        if texture_file is None:
            return body
        if body.textures is None or not body.textures.is_known:
            raise FormatError(f"{solid.shape.file}: {_UNWRAP}, or remove the picture of {solid.name}")
        return replace(body, textures=body.textures.showing(texture_file))

    def textured(self, thing: Wall | Solid) -> Triangles | None:
        """Return a thing as textured triangles; None if it has no texture; raises FormatError.

        An object is at the origin, a wall at its place (m).
        """
        if isinstance(thing, Solid) and isinstance(thing.shape, Mesh):
            body = self.body(thing)
            return body if body.textures and body.textures.files else None
        texture_file = self.texture_file(thing)
        if texture_file is None:
            return None
        from understudy.assets.pictures import texture
        from understudy.world import texture_mapping

        colour = texture.rgb(thing.colour)
        if isinstance(thing, Wall):
            return texture_mapping.wrapped_wall(thing, texture_file, colour)
        return texture_mapping.wrapped(thing.shape, texture_file, colour)

    def levels(self, texture_file: TextureFile) -> texture.Levels:
        """Return a decoded picture with its mipmaps; raises FormatError if it is damaged or the total is too large."""
        if texture_file not in self._levels:
            from understudy.assets.pictures import texture

            known = sum(int(kept.sizes[0, 1] * kept.sizes[0, 2]) for kept in self._levels.values())
            if known + texture.pixel_count(texture_file.data, texture_file.name) > texture.MOST_PIXELS:
                raise FormatError(f"{texture_file.name}: {texture.TOO_MANY}")
            self._levels[texture_file] = texture.levels(texture.decoded(texture_file))
        return self._levels[texture_file]

    def open_pictures(self, scene: Scene) -> None:
        """Decode every picture on the things of a scene; raises FormatError that names the file."""
        things: tuple[Wall | Solid, ...] = (*scene.walls, *scene.objects)
        for thing in things:
            if isinstance(thing, Solid) and isinstance(thing.shape, Mesh):
                textures = self.body(thing).textures
                texture_files = textures.files if textures else ()
            else:
                texture_files = tuple(filter(None, (self.texture_file(thing),)))
            for texture_file in texture_files:
                self.levels(texture_file)

    # ---- files

    def _content(self, name: str) -> bytes:
        if name not in self._files:
            raise FormatError(f"{name}: no such file")
        return self._files[name]

    def _beside(self, name: str) -> dict[str, bytes]:
        """Return the files below the folder of a file, by their names relative to it."""
        folder = PurePosixPath(name).parent
        return {
            str(PurePosixPath(other).relative_to(folder)): data
            for other, data in self._files.items()
            if PurePosixPath(other).is_relative_to(folder)
        }
