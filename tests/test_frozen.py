"""A frozen class behaves as one of the standard library does, method by method."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field

import pytest

from understudy.frozen import frozen


def standard(**options):
    return dataclass(frozen=True, slots=True, **options)


def ours(**options):
    return frozen(**options)


@frozen
class Spot:
    """A place, at the top of a module for pickle."""

    x_m: float
    y_m: float = 0.0
    tags: tuple[str, ...] = field(default=("a",), repr=False, compare=False)
    notes: list[str] = field(default_factory=list, hash=False)


@frozen(kw_only=True)
class Named:
    """Only with names."""

    name: str
    size: int = 3


@frozen
class Checked(Spot):
    """One that inherits, and looks at itself."""

    limit_m: float = 5.0
    twice_m: float = field(init=False, default=0.0)

    def __post_init__(self):
        if self.x_m > self.limit_m:
            raise ValueError("too far")
        object.__setattr__(self, "twice_m", 2 * self.x_m)


@frozen(eq=False)
class Unique:
    """Equal only to itself."""

    x: int = 0


@frozen
class Nothing:
    """No field at all."""


def twins():
    """Return the same class, made by the standard library and by us."""
    made = []
    for make in (standard, ours):

        @make()
        class Sample:
            """A sample."""

            a: int
            b: str = "b"
            c: list[int] = field(default_factory=list, compare=False)
            d: float = field(default=1.5, kw_only=True)

        made.append(Sample)
    return made


def test_the_signature_is_that_of_the_standard_library():
    theirs, mine = twins()
    assert list(inspect.signature(theirs).parameters) == list(inspect.signature(mine).parameters)
    assert inspect.signature(mine).parameters["d"].kind is inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize("arguments", [(1,), (1, "x"), (1, "x", [2]), (True, "")])
def test_the_text_is_that_of_the_standard_library(arguments):
    theirs, mine = twins()
    assert repr(theirs(*arguments)) == repr(mine(*arguments))


@pytest.mark.parametrize("arguments", [(), (1, 2, [], 4.0), (1, "x", [], 1.0, 2)])
def test_wrong_arguments_are_refused_in_the_same_words(arguments):
    messages = []
    for made in twins():
        with pytest.raises(TypeError) as caught:
            made(*arguments)
        messages.append(str(caught.value).removeprefix("twins.<locals>.").removeprefix("Sample."))
    assert len(set(messages)) == 1, messages


def test_the_hash_is_that_of_the_standard_library():
    theirs, mine = twins()
    assert hash(theirs(7, "x")) == hash(mine(7, "x"))


def test_match_patterns_work_by_place():
    match Spot(1.0, 2.0):
        case Spot(x, y):
            assert (x, y) == (1.0, 2.0)


def test_equal_are_objects_of_one_class_with_equal_values():
    assert Spot(1.0, tags=("x",)) == Spot(1.0)
    assert Spot(1.0) != Spot(2.0)
    assert Spot(1.0).__eq__(Checked(1.0)) is NotImplemented


def test_a_value_that_is_not_equal_to_itself_is_compared_by_identity():
    nan = float("nan")
    assert Spot(nan, notes=[]) == Spot(nan, notes=[])
    assert Wrapped(nan) == Wrapped(nan)


@frozen
class Wrapped:
    """A single field is compared as a tuple of one."""

    value: object


def test_a_class_of_one_field_has_the_hash_of_a_tuple():
    assert hash(Wrapped(5)) == hash((5,))
    assert hash(Nothing()) == hash(())


def test_nothing_can_be_assigned_or_deleted():
    spot = Spot(1.0)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x_m'"):
        spot.x_m = 2.0
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x_m'"):
        del spot.x_m
    with pytest.raises(AttributeError):
        spot.more = 1
    assert spot.x_m == 1.0
    assert not hasattr(spot, "__dict__")


def test_default_factories_make_one_value_for_each_object():
    assert Spot(1.0).notes is not Spot(1.0).notes


def test_names_are_required_where_the_class_says_so():
    assert Named(name="a") == Named(size=3, name="a")
    with pytest.raises(TypeError):
        Named("a")


def test_what_inherits_has_all_fields_and_checks_itself():
    checked = Checked(2.0, limit_m=4.0)
    assert checked.twice_m == 4.0
    assert [each.name for each in dataclasses.fields(checked)][:2] == ["x_m", "y_m"]
    with pytest.raises(ValueError, match="too far"):
        Checked(6.0)
    with pytest.raises(FrozenInstanceError):
        checked.x_m = 1.0


def test_replace_and_asdict_know_it():
    assert dataclasses.replace(Spot(1.0), y_m=2.0) == Spot(1.0, 2.0)
    assert dataclasses.asdict(Named(name="a")) == {"name": "a", "size": 3}


@pytest.mark.parametrize("thing", [Spot(1.0, 2.0, ("z",), ["n"]), Checked(2.0), Named(name="n"), Nothing()])
def test_copies_and_pickles_are_equal_and_still_frozen(thing):
    for again in (copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))):
        assert again == thing
        assert again is not thing
        with pytest.raises(FrozenInstanceError):
            again.x_m = 0.0


def test_without_eq_an_object_equals_only_itself():
    one = Unique()
    assert one == one
    assert one != Unique()
    assert len({one, Unique()}) == 2


def test_methods_of_the_class_are_kept():
    @frozen
    class Own:
        """Has its own methods."""

        x: int

        def __repr__(self):
            return "own"

        def __eq__(self, other):
            return True

    assert repr(Own(1)) == "own"
    assert Own(1) == 5
    assert hash(Own(1)) == hash((1,))


def test_a_class_of_the_standard_library_can_inherit_from_it_and_the_other_way_round():
    @standard()
    class Theirs(Spot):
        """Of a plug-in."""

        z_m: float = 0.0

    @frozen
    class Ours(Theirs):
        """Ours again."""

        w_m: float = 1.0

    assert Ours(1.0, z_m=2.0) == Ours(1.0, z_m=2.0)
    assert Ours(1.0).w_m == 1.0
    with pytest.raises(FrozenInstanceError):
        Ours(1.0).z_m = 3.0


def test_a_class_that_is_not_frozen_cannot_inherit_from_it():
    with pytest.raises(TypeError, match="cannot inherit non-frozen"):

        @dataclass
        class Loose(Spot):
            """Not frozen."""
