#!/bin/bash
# Reads a GPS, sleeps, looks at the clock; children, pipes, a fifo, signals.   shell.sh TERMINAL FIFO
exec 3<"$1"
for i in 1 2 3; do
  read -t 1.5 -r line <&3
  echo "$i ${line:0:6} $(date +%s.%N)"
  sleep 0.25
done
date +%s.%N | tee /dev/null | wc -c
mkfifo "$2"
(sleep 0.2; echo "through the fifo") > "$2" &
cat "$2"
timeout 0.3 sleep 5
echo "timeout $? $(date +%s.%N)"
trap 'echo "signal $(date +%s.%N)"' USR1
(sleep 0.5; kill -USR1 $$) &
wait
seq 1 3000 | sort -rn | head -1
