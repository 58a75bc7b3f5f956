"""Drive until the wall is near, with a socket and nothing else: python drive.py [PORT]"""

import json
import socket
import sys

link = socket.create_connection(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8180)).makefile("rw")


def ask(do, **values):
    link.write(json.dumps({"do": do, **values}) + "\n")
    link.flush()
    reply = json.loads(link.readline())
    if "error" in reply:
        sys.exit(reply["error"])
    return reply


ask("reset")
ask("drive", robot="scout", m_s=0.5)
while min(ask("read", sensor="scout/sonar")["values"]["range_m"][2:6]) > 0.8:
    ask("wait", s=0.1)
ask("stop", robot="scout")
ask("wait", s=1)
print(json.dumps(ask("pose", robot="scout")))
