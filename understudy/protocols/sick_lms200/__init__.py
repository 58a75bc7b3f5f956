"""The telegrams of a SICK LMS-200 on a serial line."""
