"""The validity card of cameras."""

from __future__ import annotations

from understudy.sensors.card import Card, Number

CAMERA = Card(
    "camera",
    "A camera: colours, distances, what is what, warmth; each pixel is one ray, or drawn by MuJoCo's renderer.",
    sources=(
        "EyeSim and SEAR: a picture of what stands before the robot",
        "Nguyen, Izadi, Lovell 2012, Modeling Kinect sensor noise for improved 3D reconstruction: deviation of depths",
        "Khoshelham, Elberink 2012, Accuracy and resolution of Kinect depth data: steps of depths",
    ),
    modelled=(
        "a pin-hole: straight lines stay straight; depth is measured along the camera's axis",
        "colours of things and of faces of meshes, pictures on ground, walls, things and meshes; matt, lit as light "
        "sensors see it",
        "lamps and the sun with shadows; a scene without any light has a bright sky",
        "warmth: that of each surface, of lamps, else of the air",
        "depth: deviation that grows with the square of the distance, steps of disparity, nothing outside its range",
    ),
    not_modelled=(
        "gloss, mirrors, glass, holes in pictures",
        "lens distortion, blur by motion, rolling shutter, exposure by itself",
        "edges: a pixel is one thing, not a mixture; only pictures on things are blurred by the size of a pixel",
        "rays of warmth between things, and what warms up",
        "where drawn: what is nearer than 5 mm; shadows of lamps, those of suns beyond 10 m, more than 7 lights",
    ),
    numbers=(
        Number("period_us", "estimate: ten pictures a second"),
        Number("width", "estimate: small pictures, as controllers of small robots take them"),
        Number("height", "estimate: three quarters of the width"),
        Number("field_rad", "estimate: a usual lens; EyeSim's and webcams' are near to it"),
        Number("full", "a lamp of brightness 1 at 1 m makes white white, as for light sensors"),
        Number("min_m", "a pin-hole sees everything before it"),
        Number("max_m", "estimate: what is farther away is sky"),
        Number("noise.sigma", "estimate: two of 255 levels, as a small sensor indoors"),
    ),
)
