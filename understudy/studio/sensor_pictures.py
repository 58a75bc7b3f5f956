"""Images of simulated cameras as pictures for a browser: colours as they are, numbers as colours with a legend."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.frozen import frozen

MOST_SIDE = 640  # pixels
MOST_NAMES = 8  # things that the legend of a label image names
# near and cold is light, far and hot is dark: readable without colour vision
SCALE = np.array(
    [(253, 231, 37), (122, 209, 81), (34, 168, 132), (42, 120, 142), (65, 68, 135), (68, 1, 84)], np.float64
)
UNITS = {"depth": "m", "thermal": "°C"}


@frozen
class SensorPicture:
    """A picture as a data URL, and what its colours mean."""

    name: str
    url: str
    legend: str = ""

    def plain(self) -> dict[str, str]:
        """Return it as plain values for a browser."""
        return {"name": self.name, "url": self.url, "legend": self.legend}


def sensor_picture(name: str, image: npt.NDArray[Any], names: Sequence[str] = ()) -> SensorPicture:
    """Return an image of a camera as a picture; *names* are those of the things that labels mean."""
    image = image[:: _step(image), :: _step(image)]
    if image.ndim == 3:
        return SensorPicture(name, _url(image.astype(np.uint8)))
    if name == "labels":
        return SensorPicture(name, _url(_label_colours(image)), _labels(image, names))
    known = np.isfinite(image) & ((image > 0.0) if name == "depth" else True)
    low, high = (float(image[known].min()), float(image[known].max())) if known.any() else (0.0, 0.0)
    pixels = _scaled(np.where(known, image, low), low, high)
    pixels[~known] = 0
    legend = f"light {low:.2f} to dark {high:.2f} {UNITS.get(name, '')}, black: none" if known.any() else "none"
    return SensorPicture(name, _url(pixels), legend)


def _step(image: npt.NDArray[Any]) -> int:
    """Return every how many pixels are shown of a large image."""
    side: int = max(image.shape[:2])
    return max(1, -(-side // MOST_SIDE))


def _scaled(image: npt.NDArray[Any], low: float, high: float) -> npt.NDArray[np.uint8]:
    share = (image - low) / (high - low) if high > low else np.zeros_like(image)
    steps = np.linspace(0.0, 1.0, len(SCALE))
    return np.stack([np.interp(share, steps, SCALE[:, channel]) for channel in range(3)], axis=-1).astype(np.uint8)


def _label_colours(image: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Return a colour for each label; neighbouring numbers differ clearly, and 0 is black."""
    numbers = np.nan_to_num(image).astype(np.int64) & 0xFFFF
    mixed = np.stack([numbers * factor % 200 + 55 for factor in (97, 57, 151)], axis=-1)
    mixed[numbers == 0] = 0
    return mixed.astype(np.uint8)


def _labels(image: npt.NDArray[Any], names: Sequence[str]) -> str:
    """Return the names of the things in a label image, those with most pixels first."""
    numbers, counts = np.unique(np.nan_to_num(image).astype(np.int64), return_counts=True)
    ordered = [int(numbers[i]) for i in np.argsort(-counts, kind="stable")]
    known = [names[number] if number < len(names) else str(number) for number in ordered if number > 0]
    return ", ".join(known[:MOST_NAMES]) + (" …" if len(known) > MOST_NAMES else "")


def _url(pixels: npt.NDArray[np.uint8]) -> str:
    from PIL import Image

    made = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(made, "PNG", compress_level=1)
    return f"data:image/png;base64,{base64.b64encode(made.getvalue()).decode()}"
