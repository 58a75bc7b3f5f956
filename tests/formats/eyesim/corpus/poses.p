name Twin
world vr-floor.wld
robot 500 500 0
robot 1500 500 90
