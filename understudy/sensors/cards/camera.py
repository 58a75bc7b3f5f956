"""The validity card of cameras."""

from __future__ import annotations

from understudy.sensors.cards.card import Card, Number

CAMERA = Card(
    "camera",
    "A camera: colour, depth, labels, thermal; each pixel is one ray, or drawn by MuJoCo's renderer.",
    sources=(
        "EyeSim and SEAR: a picture of what is in front of the robot",
        "Nguyen, Izadi, Lovell 2012, Modeling Kinect sensor noise for improved 3D reconstruction: deviation of depths",
        "Khoshelham, Elberink 2012, Accuracy and resolution of Kinect depth data: steps of depths",
    ),
    modelled=(
        "a pinhole camera without distortion; depth is measured along the camera's axis",
        "colours of things and of mesh faces, textures on ground, walls, things and meshes; matt, lit as for light "
        "sensors",
        "lamps and the sun with shadows; a scene without any light has a bright sky",
        "thermal: the temperature of each surface and lamp, otherwise that of the air",
        "depth: deviation that grows with the square of the distance, steps of disparity, nothing outside its range",
    ),
    not_modelled=(
        "gloss, mirrors, glass, transparent parts of textures",
        "lens distortion, motion blur, rolling shutter, automatic exposure",
        "edges: a pixel shows one thing, not a mixture; only textures are filtered by the size of a pixel",
        "heat radiation between things, and things that warm up",
        "with OpenGL: anything nearer than 5 mm; shadows of lamps, those of suns beyond 10 m, more than 7 lights",
    ),
    numbers=(
        Number("period_us", "estimate: ten pictures a second"),
        Number("width", "estimate: small pictures, as controllers of small robots take them"),
        Number("height", "estimate: three quarters of the width"),
        Number("field_rad", "estimate: a typical lens; EyeSim's and webcams' are similar"),
        Number("full", "a lamp of brightness 1 at 1 m gives 255 for white, as for light sensors"),
        Number("min_m", "a pinhole camera sees everything in front of it"),
        Number("max_m", "estimate: anything farther is shown as sky"),
        Number("noise.sigma", "estimate: two of 255 levels, as a small sensor indoors"),
    ),
)
