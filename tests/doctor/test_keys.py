"""What the doctor says of audit keys that lie where they must not."""

from __future__ import annotations

from pathlib import Path

from tablectl.doctor import keys
from tablectl.sealed import keygen


def test_a_private_key_beside_the_table_is_named(tmp_path: Path) -> None:
    """Beside the configuration or the journal, under any name: a warning that names it. The public part, a sealed deck
    and other files are none; nor is a folder, or one that is not there."""
    (tmp_path / "journals").mkdir()
    files = [tmp_path / "t12.toml", tmp_path / "journals" / "j.sqlite", tmp_path / "none" / "blue.toml"]
    secret = keygen()
    secret.public.write(tmp_path / "audit.pub")
    (tmp_path / "t12.toml").write_text("[table]\n")
    assert list(keys.private(files)) == []
    secret.write(tmp_path / "journals" / "spare")
    (line,) = keys.private(files)
    assert (line.check, line.state, line.about) == ("audit_key", "warning", "spare")
    assert "the private audit key lies at the table" in line.text
    secret.write(tmp_path / "audit.key", "under a passphrase")
    assert [line.about for line in keys.private(files)] == ["audit.key", "spare"]
