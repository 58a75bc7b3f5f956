"""The SICK LMS-200 laser scanner: operating modes, angles and resolutions, configuration, start-up."""
