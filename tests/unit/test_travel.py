"""Public objects reach other processes whole: pickled, copied, and sent to processes of every kind, they do the same."""

from __future__ import annotations

import ast
import builtins
import copy
import multiprocessing
import pickle
import re
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from operator import attrgetter

import pytest

from corpus import REPOSITORY
from lanewise.core.extras import compiler_lacks
from travelling import CALLS, NOT_CALLED, OTHERS, RECIPES, Behaviour, public_classes, there, with_arguments

pytestmark = pytest.mark.skipif(bool(compiler_lacks()), reason="NumPy or llvmlite is not installed: pip install numpy llvmlite")
BUILT_IN = {name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)}
ERROR = re.compile(r"^class \w+\(.*(Exception|Error|Failure)\b.*\):(\n( .*)?)*?\n +def __init__", re.MULTILINE)
TIMEOUT = 120  # seconds, for a process that would wait forever


@cache
def objects() -> dict[type, tuple[object, list[tuple[str, str]]]]:
    """An object of each public class and of each class of lanewise that their attributes and methods give, with what it
    does."""
    waiting = deque(make() for make in (*RECIPES.values(), *OTHERS))
    found: dict[type, tuple[object, list[tuple[str, str]]]] = {}
    while waiting:
        value = waiting.popleft()
        if type(value) not in found:
            behaviour = Behaviour(value)
            found[type(value)] = value, behaviour.texts
            waiting.extend(each for kind, each in behaviour.met.items() if kind not in found)
    return found


def test_there_is_one_of_each_public_class():
    assert RECIPES.keys() == public_classes().keys()
    for name, kind in public_classes().items():
        assert kind in objects(), f"the recipe of {name} makes something else"


def test_each_method_is_called():
    there_are = {f"{name}.{method}" for name, kind in public_classes().items() for method in with_arguments(kind)}
    errors = {
        f"{name}.{method}"
        for name in ("InputError", "InputWarning", "RunError", "PipelineError", "CampaignError")
        for method in ("add_note", "with_traceback")
    }
    assert there_are - NOT_CALLED - CALLS.keys() - errors == set(), "say in CALLS what to call it with"
    assert there_are >= NOT_CALLED


def test_errors_with_arguments_of_their_own_are_portable():
    """Python makes an error anew from its message: where `__init__` takes something else, a pool waits forever."""
    found: list[str] = []
    for path in sorted(REPOSITORY.glob("src/lanewise/**/*.py")):
        text = path.read_text(encoding="utf-8")
        for each in ast.walk(ast.parse(text)) if ERROR.search(text) else ():
            if isinstance(each, ast.ClassDef):
                bases = {ast.unparse(base) for base in each.bases}
                own = any(isinstance(part, ast.FunctionDef) and part.name == "__init__" for part in each.body)
                found += [f"{path}: {each.name}"] * (
                    own and bool(bases & {*BUILT_IN, "InputFailure", "UsageError"}) and "PortableError" not in bases
                )
    assert found == []


def test_copies_do_the_same():
    for kind, (value, texts) in objects().items():
        for protocol in range(2, pickle.HIGHEST_PROTOCOL):
            assert type(pickle.loads(pickle.dumps(value, protocol))) is kind
        assert differences(texts, Behaviour(copy.deepcopy(value)).texts) == []


def test_new_processes_get_them_and_send_them_back():
    data = [pickle.dumps(value) for value, _ in objects().values()]
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        answers = pool.submit(there, data).result(TIMEOUT)
    compare(answers)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_processes_send_them():
    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.apply_async(returned).get(TIMEOUT)
    assert [type(each) for each in found] == [*objects()]


def test_joblib_sends_them():
    joblib = pytest.importorskip("joblib", reason="joblib is not installed: pip install joblib")
    data = [value for value, _ in objects().values()]
    kind_of = attrgetter("__class__")  # `type` cannot be wrapped in Python 3.12.1: its `__type_params__` are not a tuple
    assert joblib.Parallel(2)(joblib.delayed(kind_of)(value) for value in data) == [*objects()]


def returned() -> list[object]:
    return [value for value, _ in objects().values()]


def compare(answers: list[tuple[list[tuple[str, str]], bytes]]) -> None:
    for (value, texts), (found, data) in zip(objects().values(), answers, strict=True):
        assert differences(texts, found) == []
        assert type(pickle.loads(data)) is type(value)


def differences(wanted: list[tuple[str, str]], found: list[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """The first texts that differ."""
    assert [path for path, _ in wanted] == [path for path, _ in found]
    return [(path, mine, theirs) for (path, mine), (_, theirs) in zip(wanted, found, strict=True) if mine != theirs][:3]
