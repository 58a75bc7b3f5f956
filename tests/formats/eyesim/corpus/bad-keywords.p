name Wrong
diametre 100
diameter 0
speed fast
robots 2.5
psd FRONT x 0 0 0
bump FRONT 1 0
pause maybe
psd_range 800 60
robot 1 2
world
