from understudy.studio import frame_memory
from understudy.studio.frame_memory import LONGEST_GAP_S, FrameMemory


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def filled(count, gap_s=0.03, size=10):
    clock = Clock()
    memory = FrameMemory(clock)
    for number in range(count):
        clock.now += gap_s
        memory.add(bytes([number % 256]) * size)
    return memory, clock


def test_the_last_seconds_come_in_their_order():
    memory, _ = filled(100)
    seen = memory.last(0.3)
    assert [each.frame[0] for each in seen] == list(range(90, 100))


def test_a_pause_is_not_waited_for_again():
    memory, clock = filled(3)
    clock.now += 500.0
    memory.add(b"later")
    assert memory.last(10.0)[-1].gap_s == LONGEST_GAP_S


def test_old_frames_are_forgotten(monkeypatch):
    monkeypatch.setattr(frame_memory, "KEPT_BYTES", 1000)
    memory, _ = filled(200)
    assert sum(len(each.frame) for each in memory.last(1e9)) <= 1000


def test_another_scene_begins_with_nothing():
    memory, _ = filled(5)
    memory.clear()
    assert memory.last(60.0) == []
