"""The web studio: watch a run in a browser, drive and drag robots, pause time.

User actions go through the inbox, so they are recorded on tapes; watching alone changes nothing, results stay
bit-identical. `app` assembles the studio; the JavaScript is in `web` and is served beside NiceGUI's own.
"""
