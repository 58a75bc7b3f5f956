"""NMEA 0183: the sentences of a GPS receiver, and the MTK commands that change what it sends."""
