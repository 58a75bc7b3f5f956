"""The stream with queues as sockets: credits, order, and that no browser waits for another."""

import asyncio
import json

from understudy.studio import stream as hub_module
from understudy.studio.lookout import BeamRequest
from understudy.studio.stream import CREDITS, MOST_WORDS, Stream

ACK = {"type": "websocket.receive", "bytes": bytes(4)}
GONE = {"type": "websocket.disconnect"}


class Socket:
    """One browser's end: what was sent to it, and what it says."""

    def __init__(self, blocked=False):
        self.texts, self.frames = [], []
        self.says = asyncio.Queue()
        self.closed = False
        self.blocked = blocked

    async def accept(self):
        pass

    async def receive(self):
        return await self.says.get()

    async def send_text(self, text):
        if self.blocked:
            await asyncio.Event().wait()
        self.texts.append(json.loads(text))

    async def send_bytes(self, data):
        if self.blocked:
            await asyncio.Event().wait()
        self.frames.append(data)

    async def close(self):
        self.closed = True


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


class Meeting:
    """A hub with some browsers, inside a running event loop."""

    def __init__(self, *sockets):
        self.stream, self.sockets = Stream(), sockets

    async def __aenter__(self):
        self.tasks = [asyncio.create_task(self.stream.serve(socket)) for socket in self.sockets]
        await settle()
        return self.stream, *self.sockets

    async def __aexit__(self, *problem):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def meet(scenario, *sockets_blocked):
    async def main():
        async with Meeting(*(Socket(blocked) for blocked in sockets_blocked or (False,))) as people:
            await scenario(*people)

    asyncio.run(main())


async def publish(stream, *frames):
    for frame in frames:
        stream.publish(frame)
        await settle()


# ---- frames


def test_a_browser_gets_two_frames_and_then_none_until_it_answers():
    async def scenario(stream, socket):
        await publish(stream, b"1", b"2", b"3")
        assert socket.frames == [b"1", b"2"]
        assert not stream.watched()

    assert CREDITS == 2
    meet(scenario)


def test_after_an_answer_the_newest_frame_comes_and_no_older_one():
    async def scenario(stream, socket):
        await publish(stream, b"1", b"2", b"3", b"4", b"5")
        socket.says.put_nowait(ACK)
        await settle()
        assert socket.frames == [b"1", b"2", b"5"]

    meet(scenario)


def test_answers_that_nobody_asked_for_buy_nothing():
    async def scenario(stream, socket):
        for _ in range(10):
            socket.says.put_nowait(ACK)
        await settle()
        await publish(stream, b"1", b"2", b"3", b"4")
        assert socket.frames == [b"1", b"2"]

    meet(scenario)


def test_an_answer_of_another_size_is_not_one():
    async def scenario(stream, socket):
        await publish(stream, b"1", b"2", b"3")
        socket.says.put_nowait({"type": "websocket.receive", "bytes": b"12345"})
        await settle()
        assert socket.frames == [b"1", b"2"]

    meet(scenario)


def test_a_browser_that_does_not_answer_delays_nobody():
    async def scenario(stream, quiet, lively):
        for number in range(10):
            await publish(stream, b"%d" % number)
            lively.says.put_nowait(ACK)
            await settle()
        assert len(quiet.frames) == 2
        assert len(lively.frames) == 10

    meet(scenario, False, False)


def test_a_browser_whose_connection_is_stuck_delays_nobody():
    async def scenario(stream, stuck, lively):
        for number in range(10):
            await publish(stream, b"%d" % number)
            lively.says.put_nowait(ACK)
            await settle()
        assert stuck.frames == []
        assert len(lively.frames) == 10

    meet(scenario, True, False)


def test_the_stream_is_watched_while_one_browser_has_room():
    async def scenario(stream, quiet, lively):
        await publish(stream, b"1", b"2")
        assert not stream.watched()
        lively.says.put_nowait(ACK)
        await settle()
        assert stream.watched()

    meet(scenario, False, False)


# ---- texts


def test_a_browser_hears_first_who_it_is_and_then_the_scene():
    async def scenario(stream, first):
        stream.describe({"kind": "scene", "epoch": 1})
        await settle()
        late = Socket()
        task = asyncio.create_task(stream.serve(late))
        await settle()
        assert [text["kind"] for text in late.texts] == ["you", "scene"]
        assert first.texts[-1] == {"kind": "scene", "epoch": 1}
        task.cancel()

    meet(scenario)


def test_texts_arrive_all_and_in_order():
    async def scenario(stream, socket):
        for number in range(100):
            stream.say({"kind": "note", "n": number})
        await settle()
        assert [text["n"] for text in socket.texts if text["kind"] == "note"] == list(range(100))

    meet(scenario)


def test_a_scene_comes_before_the_frames_that_need_it():
    async def scenario(stream, socket):
        order = []
        socket.send_text = lambda text: _note(order, json.loads(text)["kind"])
        socket.send_bytes = lambda data: _note(order, "frame")
        stream.publish(b"of the new scene")
        stream.describe({"kind": "scene", "epoch": 2})
        stream.publish(b"of the new scene")
        await settle()
        assert order == ["scene", "frame"]

    meet(scenario)


async def _note(order, what):
    order.append(what)


def test_one_browser_can_be_addressed_alone():
    async def scenario(stream, one, other):
        stream.say({"kind": "refused"}, stream.viewers[0])
        await settle()
        assert [len(socket.texts) for socket in (one, other)] == [2, 1]

    meet(scenario, False, False)


def test_a_browser_that_lets_texts_pile_up_is_let_go(monkeypatch):
    monkeypatch.setattr(hub_module, "MOST_TEXTS", 5)

    async def scenario(stream, stuck, lively):
        for number in range(10):
            stream.say({"kind": "note", "n": number})
            await settle()
        assert [len(stream.viewers), stuck.closed, lively.closed] == [1, True, False]
        assert len(lively.texts) == 11

    meet(scenario, True, False)


# ---- what browsers say


def test_messages_are_handed_on_with_who_said_them():
    async def scenario(stream, socket):
        heard = []
        stream.on_message = lambda viewer, message: heard.append((viewer.number, message))
        socket.says.put_nowait({"type": "websocket.receive", "text": '{"do": "run"}'})
        await settle()
        assert heard == [(stream.viewers[0].number, {"do": "run"})]

    meet(scenario)


BAD = ["", "{", "7", "[]", '"run"', "[" * 5000, '{"do": "\\ud800"}', " " * (MOST_WORDS + 1), "9" * 5000]


def test_what_is_no_message_is_skipped():
    async def scenario(stream, socket):
        heard = []
        stream.on_message = lambda viewer, message: heard.append(message)
        for text in (*BAD, '{"do": "run"}'):
            socket.says.put_nowait({"type": "websocket.receive", "text": text})
        await settle()
        assert heard == [{"do": "run"}]
        assert len(stream.viewers) == 1

    meet(scenario)


def test_whoever_goes_is_gone_at_once_and_missed():
    async def scenario(stream, one, other):
        left = []
        stream.on_leave = lambda viewer: left.append(viewer.number)
        number = stream.viewers[0].number
        one.says.put_nowait(GONE)
        await settle()
        assert (left, len(stream.viewers)) == ([number], 1)

    meet(scenario, False, False)


def test_an_error_while_hearing_ends_one_browser_only():
    async def scenario(stream, one, other):
        left = []
        stream.on_leave = lambda viewer: left.append(viewer.number)

        def fail(viewer, message):
            raise RuntimeError("a bug of ours")

        stream.on_message = fail
        one.says.put_nowait({"type": "websocket.receive", "text": "{}"})
        await settle()
        assert (len(left), len(stream.viewers)) == (1, 1)

    meet(scenario, False, False)


# ---- what browsers want to see


def test_the_beam_request_is_what_all_browsers_together_want():
    async def scenario(stream, one, other):
        first, second = stream.viewers
        first.selected, second.selected = "a", "b"
        assert stream.request() == BeamRequest(False, frozenset({"a", "b"}))
        second.beams = "none"
        assert stream.request() == BeamRequest(False, frozenset({"a"}))
        second.beams = "all"
        assert stream.request().all_robots

    meet(scenario, False, False)


def test_a_hub_that_nobody_has_called_says_nothing():
    stream = Stream()
    stream.publish(b"1")
    stream.say({"kind": "note"})
    assert (stream.viewers, stream.watched()) == ((), False)
