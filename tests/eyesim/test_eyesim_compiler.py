"""`understudy eyesim cc` and the executables of robots' programs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from understudy.cli import main
from understudy.clients.robios_c import build
from understudy.errors import ProgramError
from understudy.eyesim.compiler import parsed

HELLO = '#include "eyebot.h"\nint main() { printf("%d", PSD_LEFT); return 0; }\n'
HELLO_CPP = '#include <iostream>\n#include "eyebot++.h"\nint main() { std::cout << PSD_LEFT; }\n'


def output_of(program):
    return subprocess.run([str(program)], capture_output=True, text=True, timeout=20, check=True).stdout


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """Programs in a folder of the test; the library stays where it is."""
    library = {classic: build.library(classic) for classic in (False, True)}
    monkeypatch.setattr(build, "_cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(build, "library", lambda classic: dict(library[classic]))
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("words", "sources", "options", "made", "classic"),
    [
        (["a.c"], ["a.c"], [], "a.x", None),
        (["-o", "b.x", "dir/a.c", "c.c", "-O2", "-lfoo"], ["dir/a.c", "c.c"], ["-O2", "-lfoo"], "b.x", None),
        (["dir/a.cpp", "-ob"], ["dir/a.cpp"], [], "b", None),
        (["--classic", "a.c", "-c"], ["a.c"], ["-c"], "a.o", True),
        (["a.cc", "--robios7", "x.o"], ["a.cc"], ["x.o"], "a.x", False),
    ],
)
def test_words_are_sources_options_and_the_file_to_make(words, sources, options, made, classic):
    assert parsed(words) == build.CProgram(tuple(map(Path, sources)), tuple(options), Path(made), classic)


@pytest.mark.parametrize("words", [[], ["-O2"], ["a.c", "-o"]])
def test_without_a_source_the_usage_is_shown(words, capfd):
    assert main(["eyesim", "cc", *words]) == 2
    assert "usage: understudy eyesim cc FILE" in capfd.readouterr().err


def test_help_is_shown(capfd):
    assert main(["eyesim", "cc", "--help"]) == 0
    assert "--classic" in capfd.readouterr().out


@pytest.mark.parametrize(("name", "source"), [("hello.c", HELLO), ("hello.cpp", HELLO_CPP), ("hello.cc", HELLO_CPP)])
def test_a_program_is_compiled_by_its_suffix(name, source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(source)
    assert main(["eyesim", "cc", name]) == 0
    assert output_of(tmp_path / "hello.x") == "2"


def test_c_and_cpp_go_into_one_program(tmp_path):
    (tmp_path / "a.cpp").write_text(
        '#include "eyebot++.h"\nextern "C" int five(void);\nint main() { printf("%d", five()); }'
    )
    (tmp_path / "b.c").write_text("int five(void) { int class = 5; return class; }")
    assert main(["eyesim", "cc", str(tmp_path / "a.cpp"), str(tmp_path / "b.c"), "-o", str(tmp_path / "ab")]) == 0
    assert output_of(tmp_path / "ab") == "5"


def test_errors_are_those_of_the_compiler(tmp_path, capfd):
    (tmp_path / "a.c").write_text("int main() { return nothing; }")
    assert main(["eyesim", "cc", str(tmp_path / "a.c"), "-o", str(tmp_path / "a.x")]) == 1
    assert "a.c:1:21: error:" in capfd.readouterr().err
    assert not (tmp_path / "a.x").exists()


def test_a_missing_source_is_named(tmp_path, capfd):
    assert main(["eyesim", "cc", str(tmp_path / "none.c")]) == 1
    assert "none.c: No such file" in capfd.readouterr().err


def test_numbers_of_psds_are_those_of_2018_if_the_user_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("EYESIM_PSD", "2018")
    (tmp_path / "a.c").write_text(HELLO)
    assert main(["eyesim", "cc", str(tmp_path / "a.c"), "-o", str(tmp_path / "a.x")]) == 0
    assert output_of(tmp_path / "a.x") == "1"


@pytest.mark.parametrize(
    ("text", "classic"),
    [
        ("int main() { VWHandle vw = VWInit(VW, 1); VWDriveStraight(vw, 0.5, 0.3); }", True),
        ('main() { LCDPutString("x"); }', True),
        ("void main() { switch (OSMachineID()) { case '1': keeper(); } }", True),
        ("int main() { VWStraight(500, 100); VWWait(); }", False),
        (
            "int main() { VWStraight(500, 100); while (!VWDriveDone()); /* VWInit(VW, 1); PSDInit(x); BUMPInit(y) */ }",
            False,
        ),
        ('int main() { VWStraight(1, 1); LCDPrintf("PSDInit VWInit BUMPInit"); } // VWInit() PSDInit()', False),
        ('int main() { LCDPrintf("hello"); OSWait(100); }', False),
    ],
)
def test_the_api_is_found_by_what_a_program_calls(text, classic):
    assert build.is_classic([text]) == classic


# ---- programs of robots


def test_a_program_is_compiled_again_only_when_something_has_changed(own_cache, tmp_path):
    source, header = tmp_path / "p.c", tmp_path / "p.h"
    header.write_text("#define WORD 1\n")
    source.write_text('#include "eyebot.h"\n#include "p.h"\nint main() { printf("%d", WORD); return 0; }')
    first = build.executable(source)
    made_ns = first.stat().st_mtime_ns
    assert output_of(first) == "1"
    assert build.executable(source).stat().st_mtime_ns == made_ns
    header.write_text("#define WORD 22\n")
    assert output_of(build.executable(source)) == "22"


def test_a_program_is_compiled_again_with_a_new_library(own_cache, tmp_path, monkeypatch):
    (tmp_path / "p.c").write_text(HELLO)
    before = build.executable(tmp_path / "p.c")
    monkeypatch.setattr(build, "_fingerprint", lambda classic: "another")
    assert build.executable(tmp_path / "p.c") != before


def test_programs_of_the_same_name_in_two_folders_are_two(own_cache, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.c").write_text(f'#include "eyebot.h"\nint main() {{ printf("{name}"); return 0; }}')
    assert [output_of(build.executable(tmp_path / name / "p.c")) for name in ("one", "two")] == ["one", "two"]


def test_a_program_that_cannot_be_compiled_is_reported_with_the_first_error(own_cache, tmp_path, capfd):
    (tmp_path / "p.c").write_text("int main() {\n  return nothing;\n  other; }")
    with pytest.raises(ProgramError, match=r"p.c cannot be compiled: .*p.c:2:10: error: .*nothing"):
        build.executable(tmp_path / "p.c")
    assert "other" in capfd.readouterr().err


def test_a_missing_compiler_is_reported_with_what_to_do(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(ProgramError, match=r"no C compiler found \(cc, gcc, clang\): install one"):
        build.compiler("C")


def test_the_compiler_can_be_chosen(monkeypatch):
    monkeypatch.setenv("CXX", f"{sys.executable} -x")
    assert build.compiler("C++") == [sys.executable, "-x"]


@pytest.mark.parametrize("classic", [False, True])
def test_the_library_has_no_warnings(classic, tmp_path):
    folders = [f"-I{build.HERE / 'core'}", f"-I{build.include_folder(classic)}"]
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Wstrict-prototypes", "-Wmissing-prototypes", "-Werror"]
    sources = [str(path) for path in build._sources(classic) if path.stem != "void_main"]
    words = [*build.compiler("C"), *flags, *folders, "-c", *sources]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_objects_of_the_library_have_names_of_their_own():
    for classic in (False, True):
        names = [path.stem for path in build._sources(classic)]
        assert len(names) == len(set(names)), names


def test_a_library_in_a_folder_that_cannot_be_written_is_reported(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    with pytest.raises(ProgramError, match="set XDG_CACHE_HOME"):
        build.library(False)
