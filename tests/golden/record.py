"""Record the golden results of this platform again, and print what has changed: python tests/golden/record.py.

The bits of other platforms are kept; with --forget-others they are not, for a change that alters them everywhere.
"""

import json
import os
import sys

os.environ.setdefault("UNDERSTUDY_COMPILE", "now")

from golden_runs import GOLDEN, RESULTS, kept, near, result


def renewed(old, results):
    """Return the kept results with those of this platform renewed; poses that are still near stay as they are."""
    bits = {place: dict(scenes) for place, scenes in old["bits"].items()}
    for name, new in results.items():
        bits.setdefault(new.platform, {})[name] = new.bits
    poses = {name: _poses(old["poses"].get(name, {}), new.poses) for name, new in results.items()}
    return {"poses": poses, "bits": {place: dict(sorted(bits[place].items())) for place in sorted(bits)}}


def _poses(before, now):
    return {who: before[who] if who in before and near(before[who], pose) else pose for who, pose in now.items()}


def differences(old, new):
    """Yield a line for each result that differs."""
    for name in sorted(old["poses"].keys() | new["poses"].keys()):
        before, now = old["poses"].get(name, {}), new["poses"].get(name, {})
        for who in sorted(before.keys() | now.keys()):
            if before.get(who) != now.get(who):
                yield f"{name}: {who} at {now.get(who, 'no place')}, was {before.get(who, 'not recorded')}"
    for place in sorted(old["bits"].keys() | new["bits"].keys()):
        before, now = old["bits"].get(place, {}), new["bits"].get(place, {})
        for name in sorted(before.keys() | now.keys()):
            for what in ("state", "readings"):
                a, b = (side.get(name, {}).get(what, "not recorded") for side in (before, now))
                if a != b:
                    yield f"{name}: {what} {b}, was {a} ({place})"


def text(results):
    """Return the results as JSON, one line for each pose and for the bits of each scene."""
    return _tree({part: results[part] for part in ("poses", "bits")}, 3) + "\n"


def _tree(value, depth, indent=" "):
    """Return a dictionary as JSON whose lines go so deep; what is below stands in one line."""
    if not depth:
        return json.dumps(value)
    lines = [f"{indent}{json.dumps(key)}: {_tree(below, depth - 1, indent + ' ')}" for key, below in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent[1:]}}}"


def main(arguments):
    """Run all scenes, write the results down and say what has changed."""
    old = kept()
    base = {**old, "bits": {}} if "--forget-others" in arguments else old
    new = renewed(base, {name: result(name) for name in GOLDEN})
    RESULTS.write_text(text(new))
    changed = list(differences(old, new))
    print(*changed or ["nothing has changed"], sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
