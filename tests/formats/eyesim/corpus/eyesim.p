# understudy parameter file
name     Pip
diameter 160
speed    50        # cm/s
turn     120       # deg/s
maze     yard.maz
pause    off
psd PSD_FRONT -200    0 75 0
psd PSD_LEFT  -205   90 75 0
psd PSD_RIGHT -210  -90 75 0
ir  IR_LF     -300   30 78 0
bump BUMP_FRONT -501 -60 60
