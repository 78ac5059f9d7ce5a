"""What is typed to search: words, and names behind what they narrow by, as in `side:eldar`; and what completes them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from engine.wording import clean


def typed_words(text: str, about: Sequence[str]) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """The plain words of a text in small letters, and what stands behind each of `about` (`side:` and the like)."""
    named: dict[str, list[str]] = {each: [] for each in about}
    words: list[str] = []
    for word in clean(text).casefold().split():
        what = next((each for each in about if word.startswith(each)), None)
        if what is None:
            words.append(word)
        elif word != what:
            named[what].append(word.removeprefix(what))
    return tuple(words), {what: tuple(parts) for what, parts in named.items()}


def in_one_word(name: str) -> str:
    """A name as it is typed in a search: small letters, and a dash for each space."""
    return "-".join(clean(name).casefold().split())


def all_in(words: Iterable[str], texts: Iterable[str]) -> bool:
    """Whether each of the words occurs somewhere in the texts."""
    told = " ".join(texts).casefold()
    return all(word in told for word in words)


def completions(word: str, names: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """What a word that is being typed may become; `names` are those that may stand behind what one narrows by."""
    word = word.casefold()
    for about, known in names.items():
        if word.startswith(about):
            part = word.removeprefix(about)
            starting = [name for name in known if name.startswith(part)]
            within = [name for name in known if part in name and name not in starting]
            return tuple(about + name for name in (*starting, *within))
    return tuple(about for about in names if about.startswith(word))
