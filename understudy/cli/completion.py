"""The verb ``completion``: scripts for bash, zsh and fish, made from the parser.

All three work alike. The words before the cursor lead to a place in the tree of verbs, such as ``/rcx/asm``. There the
shell offers values of the option before the cursor, options after a dash, and otherwise verbs or files.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from understudy.cli.helpful_parser import options_of, positionals_of, verb_helps, verbs_of

_FILES = ("FILE", "FOLDER", "TAPE", "MAP", "WORLD", "PROJECT", "SOURCE", "PROGRAM")  # a metavar with such a part


class CompletedOption(NamedTuple):
    """An option: its word, what it does, whether a value follows, and the values that are known."""

    word: str
    text: str
    takes_value: bool
    values: tuple[str, ...]
    takes_file: bool


class VerbPlace(NamedTuple):
    """What can follow a verb: more verbs with what they do, options, values of arguments, files."""

    path: str
    verbs: dict[str, str]
    options: tuple[CompletedOption, ...]
    values: tuple[str, ...]
    takes_file: bool


def completion(args: argparse.Namespace) -> int:
    """Print the completion script of a shell."""
    from understudy.cli.parser import build_parser

    print(_SHELLS[args.shell](list(places(build_parser()))), end="")
    return 0


def places(parser: argparse.ArgumentParser, path: str = "") -> Iterator[VerbPlace]:
    """Yield every place in the tree of verbs."""
    options = tuple(_choice(word, action) for word, action in options_of(parser).items())
    arguments = positionals_of(parser)
    values = tuple(str(value) for action in arguments for value in action.choices or ())
    takes_file = path == "/mobilesim" or any(action.choices is None for action in arguments)
    yield VerbPlace(path, verb_helps(parser), options, values, takes_file)
    for verb, inner in verbs_of(parser).items():
        yield from places(inner, f"{path}/{verb}")


def _choice(word: str, action: argparse.Action) -> CompletedOption:
    values = tuple(map(str, action.choices or ()))
    metavar = str(action.metavar or "")
    text = " ".join((action.help or "").replace("%%", "%").split())
    return CompletedOption(word, text, action.nargs != 0, values, any(part in metavar for part in _FILES))


# ---- bash


def _bash(all_places: list[VerbPlace]) -> str:
    walk = "|".join(place.path for place in all_places if place.path)
    values = "".join(
        f"        '{place.path} {option.word}') {_bash_value(option)}; return ;;\n"
        for place in all_places for option in place.options if option.takes_value
    )  # fmt: skip
    words = "".join(
        f"        '{place.path}') options='{' '.join(option.word for option in place.options)}'"
        f" words='{' '.join((*place.verbs, *place.values))}' ;;\n"
        for place in all_places
    )
    return f"""# Completion of understudy in bash: eval "$(understudy completion bash)"
_understudy() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} place= word options= words=
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$place/$word" in
        {walk}) place="$place/$word" ;;
        esac
    done
    COMPREPLY=()
    case "$place ${{COMP_WORDS[COMP_CWORD-1]}}" in
{values}    esac
    case "$place" in
{words}    esac
    [[ $current == -* ]] && words=$options
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _understudy understudy
"""


def _bash_value(option: CompletedOption) -> str:
    if option.values:
        return f"COMPREPLY=($(compgen -W '{' '.join(option.values)}' -- \"$current\"))"
    return ":" if option.takes_file else "compopt +o default"


# ---- zsh


def _zsh(all_places: list[VerbPlace]) -> str:
    walk = "|".join(place.path for place in all_places if place.path)
    values = "".join(
        f"        ({_quoted(f'{place.path} {option.word}')}) {_zsh_value(option)}; return ;;\n"
        for place in all_places for option in place.options if option.takes_value
    )  # fmt: skip
    words = "".join(
        f"        ({_quoted(place.path)})\n"
        f"            options=({' '.join(_zsh_row(option.word, option.text) for option in place.options)})\n"
        f"            words_here=({' '.join(_zsh_row(*row) for row in _rows(place))}) ;;\n"
        for place in all_places
    )
    return f"""#compdef understudy
# Completion of understudy in zsh: eval "$(understudy completion zsh)", after compinit
_understudy() {{
    local place= word
    local -a options words_here
    for word in "${{(@)words[2,CURRENT-1]}}"; do
        case "$place/$word" in
        ({walk}) place="$place/$word" ;;
        esac
    done
    case "$place ${{words[CURRENT-1]}}" in
{values}    esac
    case "$place" in
{words}    esac
    if [[ $PREFIX == -* ]]; then
        _describe -o option options
    elif (( $#words_here )); then
        _describe verb words_here || _files
    else
        _files
    fi
}}
if [[ $funcstack[1] == _understudy ]]; then _understudy "$@"; else compdef _understudy understudy; fi
"""


def _zsh_value(option: CompletedOption) -> str:
    if option.values:
        return f"compadd -- {' '.join(option.values)}"
    return "_files" if option.takes_file else f"_message {_quoted(option.text)}"


def _zsh_row(word: str, text: str) -> str:
    return _quoted(f"{word}:{text}" if text else word)


# ---- fish


def _fish(all_places: list[VerbPlace]) -> str:
    walk = " ".join(place.path for place in all_places if place.path)
    rows = "".join(line for place in all_places for line in _fish_lines(place))
    return f"""# Completion of understudy in fish: understudy completion fish | source
function __understudy_at
    set -l place ''
    for word in (commandline -opc)[2..-1]
        contains -- "$place/$word" {walk}
        and set place "$place/$word"
    end
    test "$place" = "$argv[1]"
end
{rows}"""


def _fish_lines(place: VerbPlace) -> Iterator[str]:
    condition = _quoted(f'__understudy_at "{place.path}"')
    at = f"complete -c understudy -n {condition}"
    if not place.takes_file:
        yield f"{at} -f\n"
    for word, text in _rows(place):
        yield f"{at} -a {word} -d {_quoted(text)}\n"
    for option in place.options:
        yield f"{at} {_fish_word(option.word)}{_fish_value(option)} -d {_quoted(option.text)}\n"


def _fish_word(word: str) -> str:
    return f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}"


def _fish_value(option: CompletedOption) -> str:
    if option.values:
        return f" -x -a {_quoted(' '.join(option.values))}"
    if not option.takes_value:
        return ""
    return " -r" if option.takes_file else " -x"


def _rows(place: VerbPlace) -> list[tuple[str, str]]:
    return [*place.verbs.items(), *((value, "") for value in place.values)]


def _quoted(text: str) -> str:
    """Return a text as all three shells read it: in single quotes, without the characters that end or escape them."""
    return "'" + text.replace("\\", "/").replace("'", "’") + "'"


_SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
