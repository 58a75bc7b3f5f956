"""A studio whose lobby takes maps, in a process of its own: there can be one in each. Asked and answered in JSON lines.

``python studio_house.py FOLDER MOST_BYTES`` says its port, then answers each line on its input with the pages that
there are (client -> where it takes a map) and the maps that were chosen.
"""

import json
import re
import sys
from pathlib import Path

from nicegui import Client, app

from understudy.studio import map_choice
from understudy.studio.app import Studio

UPLOAD = re.compile(r"/_nicegui/client/([^/]+)/upload/\d+")


def pages():
    """Return every page, and where it takes a map."""
    found = (UPLOAD.fullmatch(getattr(route, "path", "")) for route in app.routes)
    places = {match[1]: match[0] for match in found if match}
    return {client: places.get(client, "") for client in list(Client.instances)}


def main():
    """Serve until the input ends."""
    chosen = []
    map_choice.MOST_BYTES = int(sys.argv[2])
    with Studio(port=0, start_page=lambda: map_choice.chooser([Path(sys.argv[1])], chosen.append)) as studio:
        print(studio.address.port, flush=True)
        for _ in sys.stdin:
            maps = [(str(each.path), [str(folder) for folder in each.within]) for each in chosen]
            print(json.dumps({"pages": pages(), "maps": maps}), flush=True)


if __name__ == "__main__":
    main()
