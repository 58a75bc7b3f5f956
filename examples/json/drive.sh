#!/usr/bin/env bash
# Drive for four seconds, look, and go back: bash drive.sh [PORT]
exec 3<>"/dev/tcp/127.0.0.1/${1:-8180}" || exit 1

ask() {
    printf '%s\n' "$1" >&3
    IFS= read -r reply <&3
    case $reply in '{"error"'*) echo "$reply" >&2; exit 1 ;; esac
}

ask '{"do": "reset"}'
ask '{"do": "drive", "robot": "scout", "m_s": 0.5}'
ask '{"do": "wait", "s": 4}'
ask '{"do": "read", "sensor": "scout/sonar"}'
echo "$reply"
ask '{"do": "drive", "robot": "scout", "m_s": -0.5}'
ask '{"do": "wait", "s": 4}'
ask '{"do": "stop", "robot": "scout"}'
ask '{"do": "wait", "s": 1}'
ask '{"do": "pose", "robot": "scout"}'
echo "$reply"
