name Alone
world vr-floor.wld
