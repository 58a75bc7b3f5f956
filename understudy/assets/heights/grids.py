"""Heights as stored in files, the top row first: ESRI ASCII grids, SRTM tiles, GeoTIFF, and pictures.

Sources: Esri, "ASCII raster format"; USGS, "SRTM topography" (the ``.hgt`` files); OGC 19-008r4, "GeoTIFF standard".
"""

from __future__ import annotations

import io
import math
import re
import struct
import warnings
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.assets.heights.georeference import Degrees, Lattice, Reference, of_epsg
from understudy.assets.pictures import grey_picture
from understudy.errors import FormatError

Values = npt.NDArray[Any]

SUFFIXES = (".asc", ".hgt", ".tif", ".tiff")
MOST_HEIGHTS = 60_000_000
_VOID = -32768  # of SRTM
_HGT_NAME = re.compile(r"^([NS])(\d{1,2})([EW])(\d{1,3})", re.IGNORECASE)
_ASC_KEYS = (
    "ncols",
    "nrows",
    "xllcorner",
    "xllcenter",
    "yllcorner",
    "yllcenter",
    "cellsize",
    "nodata_value",
    "dx",
    "dy",
)
_PIXEL_SCALE, _TIE_POINT, _TRANSFORM, _GEO_KEYS, _NO_DATA = 33550, 33922, 34264, 34735, 42113
_MODEL_TYPE, _RASTER_TYPE, _GEOGRAPHIC, _PROJECTED = 1024, 1025, 2048, 3072


@dataclass(frozen=True, eq=False)
class HeightGrid:
    """Heights by row from the top and column; NaN or *void* where there is no data.

    *relative* heights go from 0 to 1; others are metres. *reference* is their georeference, *cell_m* their
    spacing if only that is known.
    """

    values: Values
    reference: Reference | None = None
    cell_m: tuple[float, float] | None = None
    void: float = math.nan
    relative: bool = False


def read(data: bytes, file: str) -> HeightGrid:
    """Return the heights in a file of any kind; raises FormatError."""
    if is_tiff(data):
        return _tiff(data, file)
    if file.lower().endswith(".hgt"):
        return _hgt(data, file)
    if grey_picture.is_picture(data):
        return HeightGrid(grey_picture.read(data, file).grey, relative=True)
    if is_ascii_grid(data):
        return _ascii_grid(data, file)
    raise FormatError(f"{file}: not an elevation file (want a picture, .asc, .hgt, .tif or a mesh)")


def is_tiff(data: bytes) -> bool:
    """Return whether a file is a TIFF."""
    return data[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")


def is_ascii_grid(data: bytes) -> bool:
    """Return whether a file is an ESRI ASCII grid."""
    return data[:200].lstrip()[:5].lower() in (b"ncols", b"nrows")


def is_georeferenced_tiff(data: bytes) -> bool:
    """Return whether a TIFF says where it is on Earth; only its directory is read."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image: Any = Image.open(io.BytesIO(data), formats=("TIFF",))
            return _GEO_KEYS in image.tag_v2
    except Exception:  # a damaged directory raises many kinds; whoever reads the file reports it
        return False


def _check(columns: int, rows: int, file: str) -> None:
    if columns < 2 or rows < 2:
        raise FormatError(f"{file}: {columns} x {rows} heights (want at least 2 x 2)")
    if columns * rows > MOST_HEIGHTS:
        raise FormatError(f"{file}: too many heights: {columns} x {rows} (at most {MOST_HEIGHTS:,}); crop the file")


# ---- SRTM


def _hgt(data: bytes, file: str) -> HeightGrid:
    """Return a tile of one degree, whose name is that of its south-west corner; neighbours share their edges."""
    side = math.isqrt(len(data) // 2)
    if side < 2 or side * side * 2 != len(data):
        raise FormatError(f"{file}: {len(data):,} bytes are not an SRTM tile (want 1201 or 3601 rows of 2 bytes)")
    _check(side, side, file)
    values = np.frombuffer(data, ">i2").reshape(side, side)
    found = _HGT_NAME.match(PurePosixPath(file.replace("\\", "/")).name)
    if not found:
        raise FormatError(f"{file}: the name of an SRTM tile gives its position (want a name such as N46E007.hgt)")
    south = int(found[2]) * (1 if found[1] in "Nn" else -1)
    west = int(found[4]) * (1 if found[3] in "Ee" else -1)
    step = 1.0 / (side - 1)
    return HeightGrid(values, Degrees(Lattice(float(west), south + 1.0, step, -step)), void=_VOID)


# ---- ASCII grids


def _ascii_grid(data: bytes, file: str) -> HeightGrid:
    header, start, line = _asc_header(data, file)
    columns, rows = (_whole(header, key, file) for key in ("ncols", "nrows"))
    _check(columns, rows, file)
    cell = header.get("cellsize", header.get("dx"))
    if cell is None or not cell > 0.0:
        raise FormatError(f"{file}: cellsize is missing or not above 0")
    deep = header.get("dy", cell)
    body = data[start:]
    if not re.fullmatch(rb"[-+0-9.eE\s,]*(?:[nN][aA][nN][-+0-9.eE\s,]*)*", body[:1000]):
        raise FormatError(f"{file}:{line}: invalid row of heights")
    values = _heights(body.replace(b",", b"."), file)
    if len(values) != columns * rows:
        raise FormatError(f"{file}: {len(values):,} heights (want {rows} rows of {columns}, {columns * rows:,})")
    half = 0.5
    x0 = header["xllcenter"] if "xllcenter" in header else header.get("xllcorner", 0.0) + half * cell
    y0 = header["yllcenter"] if "yllcenter" in header else header.get("yllcorner", 0.0) + half * deep
    void = header.get("nodata_value", -9999.0)
    grid = values.reshape(rows, columns)
    if cell <= 0.1 and abs(x0) <= 360.0 and abs(y0) <= 90.0:  # degrees: UTM grids of decimetres at 0, 0 do not occur
        lattice = Lattice(x0, y0 + (rows - 1) * deep, cell, -deep)
        return HeightGrid(grid, Degrees(lattice), void=void)
    return HeightGrid(grid, cell_m=(cell, deep), void=void)


def _heights(text: bytes, file: str) -> Values:
    """Return all numbers of a text; NumPy raises or warns, by version, where something else stands among them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return np.fromstring(text, np.float64, sep=" ")
        except (ValueError, DeprecationWarning):
            raise FormatError(f"{file}: the heights contain something that is not a number") from None


def _asc_header(data: bytes, file: str) -> tuple[dict[str, float], int, int]:
    """Return the numbers of the header, the offset of the heights, and their line."""
    header: dict[str, float] = {}
    at = 0
    for line in range(1, len(_ASC_KEYS) + 2):
        end = data.find(b"\n", at)
        words = data[at : end if end >= 0 else len(data)][:200].split()
        if not words or words[0].lower().decode("latin-1") not in _ASC_KEYS or end < 0:
            return header, at, line
        try:
            header[words[0].lower().decode("latin-1")] = float(words[1].replace(b",", b"."))
        except (ValueError, IndexError):
            raise FormatError(f"{file}:{line}: not a number after {words[0].decode('latin-1')}") from None
        at = end + 1
    return header, at, line


def _whole(header: dict[str, float], key: str, file: str) -> int:
    value = header.get(key, 0.0)
    if not 1 <= value < 1e6 or value != int(value):
        raise FormatError(f"{file}: {key} is missing or not a whole number above 0")
    return int(value)


# ---- GeoTIFF


def _tiff(data: bytes, file: str) -> HeightGrid:
    """Return the first picture of a TIFF; without a georeference it is an ordinary picture."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image: Any = Image.open(io.BytesIO(data), formats=("TIFF",))
            _check(image.size[0], image.size[1], file)
            tags = {int(key): value for key, value in image.tag_v2.items()}
            values = np.asarray(image)
    except FormatError:
        raise
    except (OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, struct.error, MemoryError) as error:
        raise FormatError(f"{file}: not a valid TIFF file ({error})") from None
    except Image.DecompressionBombError:
        raise FormatError(f"{file}: too large (at most {MOST_HEIGHTS:,} heights)") from None
    if values.ndim != 2:
        return HeightGrid(grey_picture.read(data, file).grey, relative=True)
    if _GEO_KEYS not in tags and values.dtype.kind != "f":
        return HeightGrid(grey_picture.read(data, file).grey, relative=True)
    if 339 in tags and tags[339] == (2,) and values.dtype.kind == "u":  # signed, although Pillow reports unsigned
        values = values.view(f"i{values.dtype.itemsize}")
    lattice, keys = _lattice(tags, file), _geo_keys(tags)
    void = _no_data(tags)
    if lattice is None:
        return HeightGrid(values, void=void)
    code = keys.get(_PROJECTED, 0) if keys.get(_MODEL_TYPE) != 2 else keys.get(_GEOGRAPHIC, 4326)
    reference = of_epsg(code, lattice) or (Degrees(lattice) if keys.get(_MODEL_TYPE) == 2 else None)
    return HeightGrid(values, reference, None if reference else (abs(lattice.dx), abs(lattice.dy)), void)


def _lattice(tags: dict[int, Any], file: str) -> Lattice | None:
    """Return the positions of the pixel centres: from a scale and a tie point, or a matrix."""
    half = 0.0 if _geo_keys(tags).get(_RASTER_TYPE) == 2 else 0.5  # a pixel is a point, or an area
    try:
        if _TRANSFORM in tags:
            a, b, _, x, d, e, _, y = (float(value) for value in tags[_TRANSFORM][:8])
            if b or d:
                raise FormatError(f"{file}: its rows do not run east; rotate it with gdalwarp")
            return Lattice(x + half * a, y + half * e, a, e)
        if _PIXEL_SCALE in tags and _TIE_POINT in tags:
            dx, dy = (float(value) for value in tags[_PIXEL_SCALE][:2])
            column, row, _, x, y = (float(value) for value in tags[_TIE_POINT][:5])
            if dx > 0.0 and dy > 0.0:
                return Lattice(x + (half - column) * dx, y - (half - row) * dy, dx, -dy)
    except (TypeError, ValueError, IndexError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{file}: its georeference is invalid") from None
    return None


def _geo_keys(tags: dict[int, Any]) -> dict[int, int]:
    """Return the keys of the directory whose values are stored in it."""
    rows = np.array(tags.get(_GEO_KEYS, ()), np.int64)
    rows = rows[: len(rows) // 4 * 4].reshape(-1, 4)[1:]
    return {int(key): int(value) for key, place, _, value in rows if place == 0}


def _no_data(tags: dict[int, Any]) -> float:
    try:
        return float(str(tags.get(_NO_DATA, "nan")).strip("\0 "))
    except ValueError:
        return math.nan
