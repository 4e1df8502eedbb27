"""The search of the site: an index of sections by their own words, and the words that users have for them.

`search.toml` has the synonyms, and questions of users with the pages that answer them. Sphinx finds pages that have a word
anywhere; this index weighs titles, headings and first sentences, so that the page about a thing comes before others.
docs/_static/search.js does the same as `find`, on the page of search results, above those of Sphinx.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

DATA = Path(__file__).with_suffix(".toml")
FILE = "search-index.js"  # in _static
_WORD = re.compile(r"[a-z0-9_]+")
_HEADING = re.compile(r"^(#{1,3}) +(.+?)\s*$", re.MULTILINE)
_RAW = re.compile(r"^```\{(?:raw|toctree)\}.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\([^)]*\)")
_TITLE, _TITLE_OF_PAGE, _LEAD, _BODY = 8.0, 3.0, 2.0, 1.0  # weights of a word by its place
_LEAD_LETTERS = 300
_MOST_LETTERS, _FEW_LETTERS = 3000, 600  # of a page that is one section, and of one that is a list
_MOST = 70  # words of a section
_PARTIAL = 0.5  # a word that is only the beginning of one of the index
_SYNONYM = 0.7
# Pages of lists and of other readers come after those that explain.
_FOLDERS = {
    "reference/findings": 0.7,
    "reference/shadercore": 0.8,
    "reference/direct3d9": 0.8,
    "reference/api": 0.5,
    "reference/schemas": 0.4,
    "reference/examples": 0.5,
    "project": 0.5,
    "reference/commands": 0.9,
}
_LISTS = ("reference/api", "reference/schemas", "reference/examples", "project")
_SINGLE = ("reference/findings", *_LISTS)  # one section each
_STOP = frozenset(
    [
        *("a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "get", "have", "how", "i", "in"),
        *("into", "is", "it", "its", "my", "of", "on", "or", "that", "the", "there", "this", "to", "use", "using", "via"),
        *("what", "when", "where", "which", "why", "with", "you"),
    ]
)


class Section(NamedTuple):
    """A part of a page that a search finds."""

    page: str
    "The page from the top of the site, without its suffix."
    anchor: str
    "The place in the page; empty for its top."
    title: str
    "The title of the page, and of the section where it is another."


class Index(NamedTuple):
    """What a search needs."""

    sections: tuple[Section, ...]
    "Each section, by number."
    words: Mapping[str, Mapping[int, int]]
    "The weight of each word in the sections that have it, in hundredths."
    synonyms: Mapping[str, tuple[str, ...]]
    "Words of users, one or several with a space between, and words of the documentation."


@cache
def stem(word: str) -> str:
    """A word without the endings of plurals and verbs."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            if word[-1] == word[-2]:
                word = word[:-1]
            break
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def words(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP]


def build(pages: Mapping[str, str]) -> Index:
    """The index of pages by their path in docs/, such as `graph.md`."""
    sections: list[Section] = []
    weights: list[dict[str, float]] = []
    for path, text in sorted(pages.items()):
        page = path.removesuffix(".md")
        for section, weight in _sections(page, text):
            sections.append(section)
            weights.append(weight)
    spread: Counter[str] = Counter()
    for weight in weights:
        spread.update(weight.keys())
    rare = {word: math.log(1 + len(sections) / count) for word, count in spread.items()}
    found: dict[str, dict[int, int]] = {}
    for number, (section, weight) in enumerate(zip(sections, weights, strict=True)):
        share = next((factor for folder, factor in _FOLDERS.items() if section.page.startswith(folder)), 1.0)
        scored = {word: round(100 * share * rare[word] * value) for word, value in weight.items()}
        for word in sorted(scored, key=lambda word: (-scored[word], word))[:_MOST]:
            found.setdefault(word, {})[number] = scored[word]
    return Index(tuple(sections), found, synonyms())


def find(index: Index, query: str, most: int = 8) -> list[Section]:
    """The sections that answer best, one of each page."""
    asked = [*dict.fromkeys(words(query))]
    phrase = f" {' '.join(asked)} "
    scores: dict[int, float] = {}
    hits: Counter[int] = Counter()

    def add(word: str, share: float) -> set[int]:
        best = _weights(index, word)
        for number, weight in best.items():
            scores[number] = scores.get(number, 0.0) + weight * share
        return set(best)

    for word in asked:
        hits.update(add(word, 1.0))
    for said, meant in index.synonyms.items():
        if f" {said} " not in phrase:
            continue
        first, *others = [add(word, _SYNONYM) for word in meant]
        for number in first.intersection(*others):
            hits[number] = min(len(asked), hits[number] + len(said.split()))
    ranked = sorted(scores, key=lambda n: (-scores[n] * (hits[n] / max(1, len(asked))), n))
    found: list[Section] = []
    for number in ranked:
        section = index.sections[number]
        if section.page not in {other.page for other in found}:
            found.append(section)
            if len(found) == most:
                break
    return found


def script(index: Index) -> str:
    """The index for the page: JSON in a script, which a page opened from a disk can load too."""
    packed = {word: [part for pair in where.items() for part in pair] for word, where in sorted(index.words.items())}
    settings = {"stop": sorted(_STOP), "partial": _PARTIAL, "synonym": _SYNONYM, "synonyms": index.synonyms}
    data = json.dumps({"sections": index.sections, "words": packed, **settings}, separators=(",", ":"))
    return f"window.lanewiseSearch = {data};\n"


@cache
def data() -> Mapping[str, Mapping[str, object]]:
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def synonyms() -> dict[str, tuple[str, ...]]:
    return {" ".join(words(said)): tuple(words(str(meant))) for said, meant in data()["synonyms"].items()}


def questions() -> dict[str, tuple[str, ...]]:
    """Questions of users, each with the pages of which one must be found."""
    found = data()["questions"]
    return {query: tuple(str(pages).split()) for query, pages in found.items()}


def committed(docs: Path) -> dict[str, str]:
    """The pages of docs/ that are in the repository, but those that the site has in another form."""
    from lanewise_site.repository import REPLACED

    names = {path.relative_to(docs).as_posix(): path for path in docs.rglob("*.md")}
    own = {name: path for name, path in names.items() if not name.startswith(("reference/", "project/", "_"))}
    return {name: path.read_text(encoding="utf-8") for name, path in own.items() if name.removesuffix(".md") not in REPLACED}


def _weights(index: Index, word: str) -> Mapping[int, float]:
    if word in index.words:
        return index.words[word]
    found: dict[int, float] = {}
    if len(word) >= 4:
        for longer, where in index.words.items():
            if longer.startswith(word):
                for number, weight in where.items():
                    found[number] = max(found.get(number, 0.0), weight * _PARTIAL)
    return found


def _sections(page: str, text: str) -> Iterator[tuple[Section, dict[str, float]]]:
    plain = _LINK.sub("]", _RAW.sub("", text))
    plain = plain.partition("\n---\n")[2] if plain.startswith("---\n") else plain
    heads = list(_HEADING.finditer(_without_code(plain)))
    name = _clean(heads[0][2]) if heads else page.rpartition("/")[2]
    cuts: Sequence[tuple[int, int, str, str]] = [(head.start(), head.end(), _clean(head[2]), head[1]) for head in heads]
    if len(cuts) < 2 or page.startswith(_SINGLE) or page.count("/") > 1:
        title = name
        yield (
            Section(page, "", name),
            _weighed(
                title, "", plain[cuts[0][1] if cuts else 0 :][: _FEW_LETTERS if page.startswith(_LISTS) else _MOST_LETTERS]
            ),
        )
        return
    ends = [*[cut[0] for cut in cuts[1:]], len(plain)]
    for (_, begin, title, level), end in zip(cuts, ends, strict=True):
        top = level == "#"
        shown = name if top else f"{name}: {title}"
        yield Section(page, "" if top else _slug(title), shown), _weighed(title, "" if top else name, plain[begin:end])


def _without_code(text: str) -> str:
    """The text with blanks in place of blocks of code, whose comments look like headings."""
    return re.sub(r"^(`{3,}).*?^\1 *$", lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.MULTILINE | re.DOTALL)


def _clean(title: str) -> str:
    return title.replace("`", "").replace("\\", "").replace("[", "").replace("]", "")


def _slug(title: str) -> str:
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", title.lower()))


def _weighed(title: str, page: str, text: str) -> dict[str, float]:
    """The weight of each word: a word of the title counts most, and one that is repeated more than once a little more."""
    found: dict[str, float] = {}
    body = words(text)
    counts = Counter(body)
    long = 1 + math.log(1 + len(body) / 150)
    for word, count in counts.items():
        found[word] = _BODY * (1 + math.log(count)) / long
    for where, weight in ((title, _TITLE), (page, _TITLE_OF_PAGE), (text.strip()[:_LEAD_LETTERS], _LEAD)):
        here = words(where)
        share = weight / (1 + math.log(max(1, len(here) / 6)))
        for word in set(here):
            found[word] = found.get(word, 0.0) + share
    return found
