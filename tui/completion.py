"""`headsdown completion`: what Tab offers in a shell, read off the very parser that reads the command line.

A shell is given a few lines that ask the program, so that what it offers is never older than the program: battles of
the library, sides of the battle named, rule sets, house rules and clauses too.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

SCRIPTS = {
    "bash": r"""_headsdown() {
  local lines line
  mapfile -t lines < <("${COMP_WORDS[0]}" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  for line in "${lines[@]:1}"; do COMPREPLY+=("${line%%$'\t'*}"); done
  case ${lines[0]} in
    files) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$2"); compopt -o filenames ;;
    folders) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$2"); compopt -o filenames ;;
    open) compopt -o nospace ;;
  esac
}
complete -F _headsdown headsdown
""",
    "zsh": r"""#compdef headsdown
_headsdown() {
  local -a lines offers
  local line
  lines=("${(@f)$("${(Q)words[1]}" completion zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)lines[2,-1]}"; do
    offers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  case $lines[1] in
    open) (( $#offers )) && _describe headsdown offers -S '' ;;
    *) (( $#offers )) && _describe headsdown offers ;;
  esac
  case $lines[1] in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
compdef _headsdown headsdown
""",
    "fish": r"""function __headsdown_offers
    set -l words (commandline -opc)
    set -l lines ($words[1] completion fish -- $words[2..-1] (commandline -ct) 2>/dev/null)
    printf '%s\n' $lines[2..-1]
    switch "$lines[1]"
        case files
            __fish_complete_path (commandline -ct)
        case folders
            __fish_complete_directories (commandline -ct)
    end
end
complete -c headsdown -f -a '(__headsdown_offers)'
""",
}
"""What each shell is to read. Answers are lines: what else to offer (`files`, `folders`, `open` for a word that goes
on, else nothing), then one word with its description behind a tab for each thing offered."""


class Offer(Struct, frozen=True):
    """A word that may stand here, and what it means. A word that is `open` goes on."""

    word: str
    means: str = ""
    open: bool = False


class Offers(Struct, frozen=True):
    """All that may stand here; `others` are `files` or `folders` where names of such may stand here too."""

    words: tuple[Offer, ...]
    others: str = ""


Said = Mapping[str, str]
"""What was typed before, by argument."""


def print_completion(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """The lines for a shell; or with words, what may stand in the place of the last of them."""
    if not args.words:
        print(SCRIPTS[args.shell], end="")
        return
    words = args.words[1:] if args.words[0] == "--" else args.words
    if args.shell == "bash":
        words = [_unquoted(word) for word in _joined(words)]
    offers = offered(parser, words or [""])
    goes_on = len(offers.words) == 1 and offers.words[0].open
    print(offers.others or ("open" if goes_on else ""))
    for offer in offers.words:
        if not offer.word.isprintable():
            continue  # sides and files are called what strangers like; a shell would put it into the line as it is
        print(
            f"{_for_bash(offer.word, words[-1], offers.others) if args.shell == 'bash' else offer.word}\t{offer.means}"
        )


def _joined(words: Sequence[str]) -> list[str]:
    """The words as typed: bash breaks them at each `=`."""
    joined: list[str] = []
    for word in words:
        if word == "=" or (joined and joined[-1].endswith("=")):
            joined[-1:] = ["".join((*joined[-1:], word))]
        else:
            joined.append(word)
    return joined


def _unquoted(word: str) -> str:
    """A word as the program would get it, also where a quote is still open."""
    for closing in ("", "'", '"'):
        try:
            parts = shlex.split(word + closing)
        except ValueError:
            continue
        return parts[0] if len(parts) == 1 else word
    return word.rstrip("\\")


def _for_bash(word: str, typed: str, others: str) -> str:
    """What bash puts in place of what is typed behind the last `=`; names of files it quotes itself."""
    broken = typed.rpartition("=")[0]
    rest = word[len(broken) + 1 :] if broken and word.startswith(f"{broken}=") else word
    return rest if others or re.fullmatch(r"[\w=./:+-]*", rest) else shlex.quote(rest)


# What may stand where


def offered(parser: argparse.ArgumentParser, words: Sequence[str]) -> Offers:
    """All that may stand in the place of the last of the words, which is what is typed of it so far."""
    *before, typed = words
    place = _Place(parser)
    for word in before:
        place.take(word)
    offers = place.offers(typed)
    return Offers(tuple(offer for offer in offers.words if offer.word.startswith(typed)), offers.others)


class _Place:
    """Where one stands in a command line after some words of it."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._enter(parser)
        self._said: dict[str, str] = {}

    def _enter(self, parser: argparse.ArgumentParser) -> None:
        self._options = {name: action for action in parser._actions for name in action.option_strings}
        self._positions = [action for action in parser._actions if not action.option_strings]
        self._waiting: argparse.Action | None = None
        self._used: set[str] = set()
        self._only_positions = False

    def take(self, word: str) -> None:
        """Go past a word."""
        if self._waiting is not None:
            self._said[self._waiting.dest] = word
            self._waiting = None
        elif word == "--" and not self._only_positions:
            self._only_positions = True
        elif word.startswith("-") and len(word) > 1 and not self._only_positions:
            name, equals, value = word.partition("=")
            option = self._options.get(name)
            self._used.add(name)
            if option is not None and equals:
                self._said[option.dest] = value
            elif option is not None and option.nargs != 0:
                self._waiting = option
        elif self._positions:
            position = self._positions.pop(0)
            self._said[position.dest] = word
            chosen = _commands(position).get(word)
            if chosen is not None:
                self._said["command"] = word
                self._enter(chosen)

    def offers(self, typed: str) -> Offers:
        """What may stand next, of which something is typed already."""
        if self._waiting is not None:
            return _values(self._waiting, self._said)
        if typed.startswith("-") and not self._only_positions:
            name, equals, _ = typed.partition("=")
            if equals and name in self._options:
                offers = _values(self._options[name], self._said)
                return Offers(tuple(Offer(f"{name}={each.word}", each.means, each.open) for each in offers.words))
            return Offers(tuple(self._free_options()))
        if self._positions:
            return _values(self._positions[0], self._said)
        return Offers(tuple(self._free_options()))

    def _free_options(self) -> Iterator[Offer]:
        """Long options that are not given yet, or may be given several times."""
        for name, option in self._options.items():
            again = isinstance(option, argparse._AppendAction)
            if name.startswith("--") and (again or not self._used & set(option.option_strings)):
                yield Offer(name, option.help or "")


def _commands(position: argparse.Action) -> Mapping[str, argparse.ArgumentParser]:
    return position.choices if isinstance(position, argparse._SubParsersAction) else {}


def _values(argument: argparse.Action, said: Said) -> Offers:
    """What an option or a position takes."""
    if isinstance(argument, argparse._SubParsersAction):
        return Offers(tuple(Offer(str(each.dest), each.help or "") for each in argument._choices_actions))
    if argument.choices is not None:
        return Offers(tuple(Offer(str(each)) for each in argument.choices))
    where = f"{said.get('command', '')}.{argument.dest}"
    kind = KINDS.get(where) or KINDS.get(str(argument.metavar))
    return kind(said) if kind else Offers(())


def _files(said: Said) -> Offers:
    return Offers((), "files")


def _battles(said: Said) -> Offers:
    """Battles of the library, by the names that commands take, and files."""
    from saves.library import SUFFIX, default_folder

    try:
        there = sorted(file.name for file in default_folder().iterdir() if file.name.endswith(SUFFIX))
    except OSError:
        there = []
    return Offers(tuple(Offer(name.removesuffix(SUFFIX), "in the library") for name in there), "files")


def _sides(said: Said) -> Offers:
    return Offers(tuple(Offer(side, "a side") for side in _sides_of(said.get("file", ""))))


def _sides_of(file: str) -> tuple[str, ...]:
    """The sides of a battle, of which only the first line is read; none where that is no battle."""
    from saves.library import found

    try:
        with open(found(file), "rb") as battle:
            header = json.loads(battle.readline(100_000))
        return tuple(str(side) for side in header["sides"])
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _seats(said: Said) -> Offers:
    from engine.seats import BOTH, SPECTATOR, UMPIRE

    return Offers((*_sides(said).words, *(Offer(seat) for seat in (BOTH, UMPIRE, SPECTATOR))))


def _examples(said: Said) -> Offers:
    from saves.library import examples

    return Offers(tuple(Offer(name, "a bundled battle") for name in examples()))


def _rules(said: Said) -> Offers:
    from engine.registered import rule_sets

    return Offers(tuple(Offer(rules.name, rules.title) for rules in rule_sets()))


def _clauses(said: Said) -> Offers:
    from engine.registered import rule_sets

    clauses = (clause for rules in rule_sets() if rules.name == said.get("rules") for clause in rules.clauses)
    return Offers(tuple(Offer(clause.number, clause.title) for clause in clauses))


def _switches(said: Said) -> Offers:
    """House rules of the rule set named, with the values that each may have."""
    from engine.registered import rule_sets
    from engine.seats import UNDO

    own = [switch for rules in rule_sets() if rules.name == said.get("rules") for switch in rules.switches]
    switches = (*own, UNDO)
    values = tuple(Offer(f"{switch.name}={value}", switch.question) for switch in switches for value in switch.values)
    open_ones = tuple(Offer(f"{switch.name}=", "a number", open=True) for switch in switches if switch.number)
    return Offers((*values, *open_ones))


KINDS: Mapping[str, Callable[[Said], Offers]] = {
    "FILE": _battles,
    "SIDE": _sides,
    "SEAT": _seats,
    "RULES": _rules,
    "CLAUSE": _clauses,
    "demo.name": _examples,
    "new.file": _files,
    "new.side": lambda said: Offers(()),
    "new.switch": _switches,
    "DIR": lambda said: Offers((), "folders"),
    **dict.fromkeys(("ROSTER", "ORDERS", "OUTPUT", "NEW", "PLAYERS", "KEY", "LOG"), _files),
}
"""What arguments take, by command and name, else by what help calls it; of all others nothing is known."""
