"""Hostile programs and downloads: nothing crashes, hangs or grows."""

from __future__ import annotations

import pytest
from robots.rcx.rcx_bench import after, loaded, ran

from understudy.errors import FormatError
from understudy.formats.rcx.icon_text import compile_icons
from understudy.formats.rcx.image import Fragment, RcxImage, read_image, write_image
from understudy.formats.rcx.lasm import MOST_DIRECT, assemble
from understudy.protocols.rcx_link.protocol import RcxLink, RcxLinkSheet
from understudy.robots.rcx.direct import Direct
from understudy.robots.rcx.orders import RcxReply
from understudy.robots.rcx.packets import packet

OLD = "setv 1,2,1"
NEW = bytes.fromhex("14 02 02 07 00 14 03 02 08 00")  # setv 2,2,7; setv 3,2,8
DOWNLOAD = [
    bytes([0x25, 0, 0, 0, len(NEW), 0]),
    bytes([0x45, 1, 0, 5, 0, *NEW[:5], sum(NEW[:5]) & 0xFF]),
    bytes([0x4D, 0, 0, 5, 0, *NEW[5:], sum(NEW[5:]) & 0xFF]),
]


def fed(link, direct, data):
    for request in link.feed(data):
        reply = direct.request(request.data)
        if reply is not None:
            link.answered(request, RcxReply(reply))
    return link.tick(None, 0)


def test_a_download_that_is_cut_off_at_any_byte_keeps_the_old_task_and_the_next_one_arrives():
    wire = b"".join(map(packet, DOWNLOAD))
    for length in range(len(wire)):
        machine = loaded(OLD)
        direct, link = Direct(machine), RcxLink(RcxLinkSheet(), "r")
        old = machine.program.tasks[0].code
        link.opened()
        fed(link, direct, wire[:length])
        link.closed()
        assert machine.program.tasks[0].code == old
        link.opened()
        fed(link, direct, wire)
        assert machine.program.tasks[0].code == NEW


def test_a_download_does_not_grow_beyond_its_announced_length():
    direct = Direct(loaded(OLD))
    direct.request(DOWNLOAD[0])
    block = bytes(200)
    replies = [direct.request(bytes([0x45 | (n & 1) << 3, n & 255, n >> 8, 200, 0, *block, 0])) for n in range(1, 50)]
    assert all(reply is not None and reply[1] != 0 for reply in replies)
    assert len(direct.download.data) <= 2 * len(NEW)


def test_a_task_that_fails_again_and_again_is_reported_once_for_each_start():
    machine = loaded("task 0\nL: start 1\njmpl L\nendt\ntask 1\n.byte 1\nendt")
    assert len(after(machine, 500).notes) == 1
    machine.start(0)
    assert len(after(machine, 500).notes) == 2


def test_a_brick_sends_one_message_at_a_time():
    machine = loaded("L: sumv 1,2,1\nmsg 0,1\njmpl L")
    after(machine, 1000)
    assert len(machine.outbox) == 25  # 41 ms each
    assert [data[5] for data, _ in machine.outbox] == list(range(1, 26))


def test_two_tasks_that_send_wait_for_each_other_and_lose_nothing():
    machine = ran("task 0\nstart 1\nmsg 2,5\nsetv 0,2,1\nendt\ntask 1\nmsg 2,6\nsetv 1,2,1\nendt", 100)
    assert sorted(data[5] for data, _ in machine.outbox) == [5, 6]
    assert machine.memory[:2] == [1, 1]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([("task", 200)], "there is no task 200 (want 0 to 9)"),
        ([("sub", 8)], "there is no sub 8 (want 0 to 7)"),
        ([("task", 1), ("task", 1)], "task 1 stands twice"),
    ],
)
def test_an_image_with_impossible_parts_is_refused(parts, words):
    image = RcxImage("fw2", tuple(Fragment(kind, number, b"\x50") for kind, number in parts))
    with pytest.raises(FormatError) as problem:
        read_image(write_image(image), "x.rcx")
    assert words in str(problem.value)


def test_texts_that_are_far_too_long_are_refused():
    for text in ("tmrz 1\n" * (MOST_DIRECT + 5), "task 0\n" + "tmrz 1\n" * 40_000 + "endt"):
        with pytest.raises(FormatError):
            assemble(text)
    with pytest.raises(FormatError, match="too large"):
        compile_icons("sound beep\n" * 70_000)


def test_lines_are_counted_as_editors_do():
    with pytest.raises(FormatError, match=r"x.lasm:3:1: unknown instruction"):
        assemble("task 0\n; a\x0cb\x1cc\u2028d\r\nfly 1\nendt", "x.lasm")
