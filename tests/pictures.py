"""Pictures of the ground, made in memory."""

import io

import numpy as np
from PIL import Image


def encoded(pixels, kind="PNG", mode=None, **options):
    """Return rows of pixels as the bytes of a picture file."""
    image = Image.fromarray(np.asarray(pixels, np.uint8))
    data = io.BytesIO()
    (image.convert(mode) if mode else image).save(data, kind, **options)
    return data.getvalue()


def striped(columns=400, rows=400, left=150, right=250):
    """Return white ground with a black stripe from column *left* to *right*, from top to bottom."""
    pixels = np.full((rows, columns, 3), 255, np.uint8)
    pixels[:, left:right] = 0
    return encoded(pixels)
