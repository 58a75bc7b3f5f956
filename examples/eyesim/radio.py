# Robots count each other by radio, then drive one after the other: each tells the next when it has finished.
#
#   understudy eyesim team.sim
from eye import *

RADIOInit()
me = RADIOGetID()
OSWait(200)  # until all radios are on
count, ids = RADIOStatus()
team = sorted(ids[:count])
LCDPrintf("I am %d of %s\n", me, team)

if me == team[0]:
    hops = 0
else:
    sender, text = RADIOReceive()
    hops = int(text)
    LCDPrintf("%d says %s\n", sender, text)

VWStraight(300, 200)
VWWait()
VWTurn(180, 90)
VWWait()
VWStraight(300, 200)
VWWait()

following = team[(team.index(me) + 1) % len(team)]
RADIOSend(following, "%d" % (hops + 1))
if me == team[0]:
    sender, text = RADIOReceive()
    LCDPrintf("%s robots have driven\n", text)
