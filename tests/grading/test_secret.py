"""The secret: what is drawn from it, and the file that holds it."""

import copy
import multiprocessing
import os
import pickle
import re
import subprocess
import sys
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.grading import secret as secrets
from exercises.grading.secret import Secret

KEY = bytes(range(32))
NAMES = st.text(max_size=8)


# ---- what is drawn from it -------------------------------------------------------------------------------------------


def test_known_answers() -> None:
    """printf '%s' '["stats-2027", "ada", "paired/mid_p"]' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0001...1f"""
    assert Secret(KEY).seed("stats-2027", "ada", "paired/mid_p") == 0x89103519D2F94785
    assert Secret(KEY).fingerprint() == "5ab8c392c2c5"
    # the same with the HMAC of '["stats-2027", "paired"]', 0218ad93..., as the key
    own = Secret(KEY).for_assignment("stats-2027", "paired")
    assert own.line().startswith("0218ad93736cbbc7")
    assert own.seed("stats-2027", "ada", "paired/mid_p") == 0x4C1465585D0CBFAA


@given(st.tuples(NAMES, NAMES, NAMES), st.tuples(NAMES, NAMES, NAMES))
def test_other_names_have_another_seed(names: tuple[str, str, str], others: tuple[str, str, str]) -> None:
    assert (Secret(KEY).seed(*names) == Secret(KEY).seed(*others)) == (names == others)


def test_names_cannot_be_cut_in_another_place() -> None:
    parts = ["", "a", "b", "ab", '"', '", "', ",", "\\", "\n", "1", "[", "é", "e\u0301", "\ud800"]
    triples = list(product(parts, repeat=3))
    assert len({Secret(KEY).seed(*names) for names in triples}) == len(triples)


def test_another_secret_has_other_seeds_and_another_fingerprint() -> None:
    other = Secret(KEY[::-1])
    assert other.seed("c", "s", "e") != Secret(KEY).seed("c", "s", "e")
    assert other.fingerprint() != Secret(KEY).fingerprint()
    assert re.fullmatch("[0-9a-f]{12}", other.fingerprint())


def test_seeds_do_not_depend_on_the_process() -> None:
    code = "from exercises.grading.secret import Secret; print(Secret(bytes(range(32))).seed('c', 's', 'e'))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout) == Secret(KEY).seed("c", "s", "e")


# ---- it stays where it is --------------------------------------------------------------------------------------------


def test_it_never_prints() -> None:
    secret = Secret(KEY)
    shown = [repr(secret), str(secret), f"{secret}", f"{[secret]}", repr({"x": secret}), ascii(secret)]
    assert all("Secret(...)" in text and KEY.hex()[:8] not in text and "\\x01" not in text for text in shown)
    assert not hasattr(secret, "__dict__")


def test_it_does_not_travel() -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="a secret is not pickled"):
            pickle.dumps([Secret(KEY)], protocol)
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="a secret is not pickled"):
            copied(Secret(KEY))
    with pytest.raises(TypeError, match="a secret is not pickled"):
        multiprocessing.get_context("spawn").Process(target=print, args=(Secret(KEY),)).start()


def test_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match=r"at least 32 bytes, and this has 31$"):
        Secret(KEY[1:])


# ---- its file --------------------------------------------------------------------------------------------------------


def test_a_new_secret_can_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "grading.secret"
    old_mask = os.umask(0)
    try:
        made = secrets.create(path)
    finally:
        os.umask(old_mask)
    assert path.stat().st_mode & 0o7777 == 0o600
    assert secrets.read(path).fingerprint() == made.fingerprint()
    assert re.fullmatch(r"[0-9a-f]{64}\n", path.read_text())
    assert secrets.create(tmp_path / "other.secret").fingerprint() != made.fingerprint()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["grading.secret", "other.secret"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path, target = tmp_path / "grading.secret", tmp_path / "target"
    path.write_text("mine")
    with pytest.raises(ValueError, match=r"grading.secret is there already, and it is not overwritten; add --rotate"):
        secrets.create(path)
    assert path.read_text() == "mine"
    path.unlink()
    path.symlink_to(target)
    with pytest.raises(ValueError, match=r"is there already"):
        secrets.create(path)
    assert [file.name for file in tmp_path.iterdir()] == ["grading.secret"]
    with pytest.raises(ValueError, match=r"nowhere/x cannot be written: No such file or directory"):
        secrets.create(tmp_path / "nowhere" / "x")


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_what_only_its_owner_can_use_is_read(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "grading.secret"
    made = secrets.create(path)
    path.chmod(mode)
    assert secrets.read(path).fingerprint() == made.fingerprint()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o700, 0o4600])
def test_what_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "grading.secret"
    secrets.create(path)
    path.chmod(mode)
    with pytest.raises(ValueError, match=rf"has mode {mode:04o}, so that others may use it: `chmod 600 .*` mends it"):
        secrets.read(path)


def test_links_pipes_folders_and_nothing_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "grading.secret"
    with pytest.raises(
        ValueError, match=r"there is no secret .*: `python -m exercises secret .*grading.secret` makes one"
    ):
        secrets.read(path)
    secrets.create(tmp_path / "real")
    path.symlink_to(tmp_path / "real")
    with pytest.raises(ValueError, match="it is a link; name the file itself"):
        secrets.read(path)
    path.unlink()
    os.mkfifo(path, 0o600)
    with pytest.raises(ValueError, match="is no ordinary file"):
        secrets.read(path)
    with pytest.raises(ValueError, match="is no ordinary file"):
        secrets.read(tmp_path)


def test_a_file_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "grading.secret"
    secrets.create(path)
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    with pytest.raises(ValueError, match=r"belongs to another user: `sudo chown "):
        secrets.read(path)


@pytest.mark.parametrize(
    "content", [b"", b"0" * 62, b"password" * 10, b"\xff" * 64, b"0" * 63, b"0" * 5000, KEY.hex().encode() + b"zz"]
)
def test_what_is_no_secret_is_refused_and_not_shown(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "grading.secret"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(
        ValueError, match=r"grading.secret is no secret: it must hold at least 64 hexadecimal"
    ) as refusal:
        secrets.read(path)
    assert len(content) < 8 or content[:8].decode("latin-1") not in str(refusal.value)
    assert refusal.value.__suppress_context__


def test_rotating_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "grading.secret"
    fingerprints = [secrets.create(path).fingerprint()]
    asides = []
    for _ in range(3):
        asides.append(secrets.rotate(path, datetime(2027, 3, 1, 23, tzinfo=UTC)))
        fingerprints.append(secrets.read(path).fingerprint())
    assert [aside.name for aside in asides] == [f"grading.secret.2027-03-01{end}" for end in ("", ".2", ".3")]
    assert [secrets.read(aside).fingerprint() for aside in asides] == fingerprints[:3]
    assert len(set(fingerprints)) == 4
    assert len(list(tmp_path.iterdir())) == 4


def test_only_a_secret_is_rotated(tmp_path: Path) -> None:
    (tmp_path / "grading.secret").write_text("mine")
    with pytest.raises(ValueError, match=r"has mode|is no secret"):
        secrets.rotate(tmp_path / "grading.secret")
    assert (tmp_path / "grading.secret").read_text() == "mine"


def test_what_one_attempt_has_seen_is_of_no_use_to_the_next(tmp_path: Path) -> None:
    secrets.create(tmp_path / "grading.secret")
    own = secrets.read(tmp_path / "grading.secret")
    seeds = [own.seed("course", "ada", "paired/mid_p", attempt) for attempt in range(1, 5)]
    assert seeds[0] == own.seed("course", "ada", "paired/mid_p")
    assert len(set(seeds)) == 4
