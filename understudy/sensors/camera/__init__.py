"""Cameras: `camera` is the data sheet; pictures come from rays (`shading`) or from MuJoCo's renderer (`drawn`)."""
