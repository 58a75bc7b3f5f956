import eye

eye.VWStraight(300, 100)
eye.VWWait()
