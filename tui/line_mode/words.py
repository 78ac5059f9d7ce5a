"""A typed line in its words: quotes keep spaces together, commas stand for themselves."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.refusals import Refusal
from engine.wording import clean

COMMA = ","
AND = "and"


class Word(Struct, frozen=True):
    """One word: its text, where it begins in the line, and whether it stood in quotes, so that it is a name.

    `unclosed` words begin with a quote that is closed nowhere: in a text that is taken as it stands they are welcome.
    """

    text: str
    start: int
    quoted: bool = False
    unclosed: bool = False

    @property
    def parts_list(self) -> bool:
        """Whether it stands between the names of a list."""
        return not self.quoted and self.text.casefold() in (COMMA, AND)


def read_words(line: str) -> tuple[Word, ...]:
    """The words of a line.

    A quote opens at the beginning of a word only, so that 12" stays what it is; within quotes `\\"` is a quote. A
    comma between figures belongs to the number.
    """
    words: list[Word] = []
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
        elif line[at] == '"':
            word, at = _quoted(line, at)
            words.append(word)
        elif line[at] == COMMA:
            words.append(Word(COMMA, at))
            at += 1
        else:
            end = _end(line, at)
            words.append(Word(line[at:end], at))
            at = end
    return tuple(words)


def _end(line: str, at: int) -> int:
    """Where the word that begins at `at` ends."""
    while at < len(line) and not line[at].isspace():
        if line[at] == COMMA and not (line[at - 1 : at].isdigit() and line[at + 1 : at + 2].isdigit()):
            break
        at += 1
    return at


def _quoted(line: str, start: int) -> tuple[Word, int]:
    text: list[str] = []
    at = start + 1
    while at < len(line):
        if line[at] == "\\" and line[at + 1 : at + 2] in ('"', "\\"):
            text.append(line[at + 1])
            at += 2
        elif line[at] == '"':
            return Word("".join(text), start, quoted=True), at + 1
        else:
            text.append(line[at])
            at += 1
    end = _end(line, start)
    return Word(line[start:end], start, unclosed=True), end


def refuse_unclosed(words: Sequence[Word]) -> None:
    """Raise Refusal (`order`) where a quote is not closed."""
    for word in words:
        if word.unclosed:
            raise Refusal("order", f'a quote is not closed: put " behind the name that begins with {word.text[1:41]}')


def plain_word(text: str) -> str:
    """A name or word as it is compared: small letters, spaces for dashes and underscores, each once."""
    return " ".join(clean(text).casefold().replace("_", " ").replace("-", " ").split())


def together(words: Sequence[Word]) -> str:
    """Several words as one name."""
    return plain_word(" ".join(word.text for word in words))


def quoted_where_needed(name: str) -> str:
    """A name as it has to be typed to be one name in any place."""
    simple = name and all(char.isalnum() or char in "-_'" for char in name) and name.casefold() != AND
    return name if simple else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
