"""Forty and more hostile projects: archives and XML files that must be refused, each with a word of the reason."""

import io
import struct
import warnings
import zipfile

BOX = b'<box name="b"><length>1</length><width>1</width><height>1</height><mass>0</mass></box>'
ROBOT = b'<robot name="r"/>'


def packed(files, compression=zipfile.ZIP_DEFLATED):
    """Return an archive of files by name, or of (ZipInfo, content)."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur twice
        for name, data in files.items() if isinstance(files, dict) else files:
            archive.writestr(name, data)
    return target.getvalue()


def special(mode):
    """Return an archive whose entry is of another type than a file."""
    entry = zipfile.ZipInfo("assets/link.png")
    entry.external_attr = mode << 16
    return packed([("environment/b.xml", BOX), (entry, b"/etc/passwd")])


def patched(data, offset, value, size="<I", signature=b"PK\x01\x02"):
    """Return an archive with a field of its first central entry changed."""
    at = data.index(signature) + offset
    return data[:at] + struct.pack(size, value) + data[at + struct.calcsize(size) :]


def bomb():
    return packed({"environment/b.xml": BOX, "assets/zeros.bin": bytes(60_000_000)})


def renamed(name):
    """Return an archive with an entry of a name that Python's writer would clean."""
    stand_in = "q" * len(name.encode())
    return packed({"environment/b.xml": BOX, f"{stand_in}": b"x"}).replace(stand_in.encode(), name.encode())


GOOD = packed({"environment/b.xml": BOX, "robot/r.xml": ROBOT})
ARCHIVES = {
    "parent folder": (packed({"../evil.xml": BOX}), "not a name inside"),
    "parent in the middle": (packed({"environment/../../evil.xml": BOX}), "not a name inside"),
    "absolute path": (packed({"/tmp/evil.xml": BOX}), "not a name inside"),
    "backslashes": (renamed("..\\evil.xml"), "not a name inside"),
    "drive letter": (packed({"C:/evil.xml": BOX}), "not a name inside"),
    "alternate stream": (packed({"environment/b.xml:hidden": BOX}), "not a name inside"),
    "null byte in a name": (renamed("robot/a\0b"), "not a name inside"),
    "control characters": (packed({"environment/\x1b[2J.xml": BOX}), "not a name inside"),
    "windows device": (packed({"robot/CON.xml": ROBOT}), "not a name inside"),
    "windows port": (packed({"assets/lpt1.txt": b""}), "not a name inside"),
    "trailing dot": (packed({"assets/picture.": b""}), "not a name inside"),
    "trailing blank": (packed({"assets/picture ": b""}), "not a name inside"),
    "long name": (packed({"assets/" + "a" * 5000: b""}), "not a name inside"),
    "deep folders": (packed({"assets/" + "a/" * 30 + "x": b""}), "nested too deeply"),
    "symbolic link": (special(0o120777), "link or device"),
    "named pipe": (special(0o010644), "link or device"),
    "device node": (special(0o020644), "link or device"),
    "zip bomb": (bomb(), "zip bomb"),
    "declared size of a gigabyte": (patched(GOOD, 24, 1_000_000_000), "too large"),
    "declared size too small": (patched(GOOD, 24, 3), "valid|SEAR|XML"),
    "wrong checksum": (patched(GOOD, 16, 1), "valid"),
    "encrypted": (patched(GOOD, 8, 1, "<H"), "encrypted"),
    "unknown compression": (patched(GOOD, 10, 99, "<H"), "valid"),
    "too many files": (packed({f"assets/{n}": b"" for n in range(5001)}, zipfile.ZIP_STORED), "too many files"),
    "same name twice": (packed([("environment/b.xml", BOX), ("environment/b.xml", BOX)]), "twice"),
    "same name in other letters": (packed({"environment/b.xml": BOX, "environment/B.XML": BOX}), "twice"),
    "cut off": (GOOD[: len(GOOD) // 2], "valid"),
    "no archive": (b"PK\x03\x04 this is not a zip file", "valid"),
    "plain text": (b"<box/>", "valid"),
    "nothing": (b"", "valid"),
    "empty archive": (packed({}), "no SEAR objects"),
    "only assets": (packed({"assets/a.png": b""}), "no SEAR objects"),
    "object in the wrong folder": (packed({"environment/r.xml": ROBOT}), "belongs into robot/"),
    "two objects of one name": (packed({"environment/b.xml": BOX, "environment/c.xml": BOX}), "another object"),
}


def value(tag, text):
    """Return a box with one value replaced."""
    return BOX.replace(f"<{tag}>1<".encode(), f"<{tag}>{text}<".encode())


def nested(depth):
    return b"<box name='b'>" + b"<a>" * depth + b"</a>" * depth + b"</box>"


LAUGHS = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))
XML = {
    "billion laughs": (b'<!DOCTYPE b [<!ENTITY l0 "lol">' + LAUGHS + b"]><box name='&l9;'/>", "document type"),
    "external entity": (b'<!DOCTYPE b [<!ENTITY x SYSTEM "file:///etc/passwd">]><box name="&x;"/>', "document type"),
    "entity in another encoding": (
        '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE b [<!ENTITY x "y">]><box/>'.encode("utf-16"), "entities"
    ),
    "a value twice": (
        b"<cone name='c'><radius>1</radius><height>1</height><radius>2</radius></cone>", "'radius' is given twice"
    ),
    "external document type": (b'<!DOCTYPE box SYSTEM "http://example.com/x.dtd">' + BOX, "document type"),
    "not XML": (b"hello", "not XML"),
    "empty": (b"", "not XML"),
    "not closed": (BOX[:-3], "not XML"),
    "unknown encoding": (b'<?xml version="1.0" encoding="utf-7"?><box/>', "not XML"),
    "bytes that are not UTF-8": (b"<box name='\xff\xfe'/>", "not XML"),
    "nested a thousand deep": (nested(1000), "nested too deeply"),
    "too large": (b"<box name='b'>" + b" " * 2_000_000 + b"</box>", "too large"),
    "too many elements": (b"<box name='b'>" + b"<mass>0</mass>" * 10_000 + b"</box>", "too many elements"),
    "too many wheels": (
        b"<robot name='r'>" + b"<wheel name='w'><radius>1</radius><width>1</width></wheel>" * 200 + b"</robot>",
        "too many wheels",
    ),
    "not a number": (value("length", "nan"), "want a number"),
    "infinite": (value("length", "inf"), "want a number"),
    "too large a number": (value("length", "1e300"), "want a number"),
    "a million digits": (value("length", "9" * 500_000), "want a number"),
    "negative mass": (BOX.replace(b"<mass>0", b"<mass>-1"), "at least 0"),
    "zero length": (value("length", "0"), "above 0"),
    "missing value": (BOX.replace(b"<length>1</length>", b""), "length is missing"),
    "words for a number": (value("length", "__import__('os')"), "want a number"),
    "unknown value": (BOX.replace(b"</box>", b"<lenght>1</lenght></box>"), "did you mean 'length'"),
    "unknown object": (b"<bx name='b'/>", "did you mean 'box'"),
    "no name": (BOX.replace(b' name="b"', b""), "not the name"),
    "long name": (BOX.replace(b'"b"', b'"' + b"b" * 100_000 + b'"'), "not the name"),
    "control characters in a name": (BOX.replace(b'"b"', b'"a&#x9b;b"'), "not the name"),
    "elements in a value": (value("length", "<x/>"), "without elements"),
    "scale of zero": (BOX.replace(b"</box>", b"<scale x='0' y='1' z='1'/></box>"), "above 0"),
    "position that is not finite": (BOX.replace(b"</box>", b"<move x='nan'/></box>"), "want a number"),
    "half a degree too far north": (
        b"<gps name='g'><latitude>90.5</latitude><altitude>0</altitude><longitude>0</longitude></gps>", "at most 90"
    ),
    "negative baud rate": (b"<lidar name='l'><baud>-1</baud></lidar>", "at least 0"),
    "half a ray": (b"<distance name='d'><lines>0.5</lines></distance>", "whole number"),
    "beam of nothing": (b"<distance name='d'><beam angle='10' range='0'/></distance>", "above 0"),
    "beam of other words": (b"<distance name='d'><beam angel='10' range='1'/></distance>", "a beam has no 'angel'"),
    "code in an object": (b"<script name='x'>import os</script>", "no such object"),
}  # fmt: skip

PASSWD = b"<model name='m'><file>../../../../etc/passwd</file></model>"
ROUND = b"<cylinder name='c'><radius>1</radius><height>1</height><scale x='1' y='1' z='2'/></cylinder>"
TERRAIN = b"<model name='m'><file>a.obj</file><terrain>true</terrain><move x='1' y='0' z='0'/></model>"
DYNAMICS = b"<dynamics name='%s'><mass>1</mass><stiffness>1</stiffness></dynamics>"
ONE_WHEEL = b"<robot name='r'><wheel name='w'><radius>1</radius><width>1</width><driven>1</driven></wheel></robot>"
SCENES = {  # every object is valid, but they make no scene
    "mesh outside the project": ({"environment/m.xml": PASSWD}, "no file"),
    "absolute mesh": ({"environment/m.xml": PASSWD.replace(b"../../../../etc", b"/etc")}, "no file"),
    "an oval cylinder": ({"environment/c.xml": ROUND}, "scale x and z alike"),
    "a moved terrain": ({"environment/m.xml": TERRAIN, "assets/a.obj": b""}, "remove move"),
    "component of nobody": ({"robot/d.xml": DYNAMICS % b"d"}, "no robot is named"),
    "component of somebody else": (
        {"robot/r.xml": ROBOT, "robot/d.xml": b"<compass name='c' robot='x'/>"}, "no robot is named"
    ),
    "dynamics twice": (
        {"robot/r.xml": ROBOT, "robot/d.xml": DYNAMICS % b"d", "robot/e.xml": DYNAMICS % b"e"}, "already"
    ),
    "one driven wheel": ({"robot/r.xml": ONE_WHEEL}, "both sides"),
    "unknown sensor": (
        {"robot/r.xml": ROBOT, "robot/d.xml": b"<distance name='d'><model>pong</model></distance>"}, "no such sensor"
    ),
    "scanner without such a mode": (
        {"robot/r.xml": ROBOT, "robot/l.xml": b"<lidar name='l'><lms>1</lms><spread>90</spread></lidar>"}, "LMS-200"
    ),
}  # fmt: skip
