name Boxed
pause on
