"""Two programs that talk to each other over TCP.   talk.py serve|ask PORT"""

import socket
import sys
import threading
import time

PORT = int(sys.argv[2])


def serve(client):
    while data := client.recv(65536):
        time.sleep(0.003)
        client.sendall(data.upper())


def ask():
    while True:
        try:
            server = socket.create_connection(("127.0.0.1", PORT))
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    start = time.monotonic()
    for number in range(20):
        question = b"hello %d" % number * 100
        server.sendall(question)
        got = 0
        while got < len(question):
            got += len(server.recv(4096))
    print(f"{time.monotonic() - start:.6f}")


if sys.argv[1] == "ask":
    ask()
else:
    with socket.create_server(("127.0.0.1", PORT)) as door:
        for _ in range(2):
            threading.Thread(target=serve, args=(door.accept()[0],)).start()
