name   Player
maze   soccer.maz
robots 5
error  drive 5
error  turn 5
error  psd 2
psd_range 60 800
ir_range 150
