"""The library behind `eye` and `eye_classic`: a RoBIOS program at the seat of its robot.

It runs in the user's Python (3.8 or newer), needs only the standard library and does not import understudy. How a call
travels: an API module (`driving`, `lcd` ...) -> `calls` (one call at a time) -> `session` (orders, frames, time) ->
`wire` (records). `turns` decides which thread of the program runs, `patches` makes sleep() mean simulated time.
"""
