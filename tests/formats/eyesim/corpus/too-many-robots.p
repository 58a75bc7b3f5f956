maze yard.maz
robots 3
