"""The web studio: see a run, hold it, stop time.

A listener and a user like others: what people do here goes through the inbox, and a run with a studio has the hash of
the run without. `app` puts it together; the browser's part is in `web`, which NiceGUI serves beside its own.
"""
