from __future__ import annotations

import sys

import pytest
from contracts.link_contract import Make, check_link
from links.clients import make_loop, make_pty, make_rfc2217, make_tcp

MAKERS = [make_tcp, make_rfc2217, make_loop, *([] if sys.platform == "win32" else [make_pty])]


@pytest.mark.parametrize("make", MAKERS)
def test_every_kind_of_link_keeps_the_contract(make: Make) -> None:
    check_link(make)
