"""What is installed says what it is: whoever has only the wheel has its licences, and links that lead somewhere."""

import re
from importlib.metadata import PackageNotFoundError, distribution, files

import pytest
from conftest import ROOT


def test_the_wheel_has_its_licences_and_says_what_it_is() -> None:
    try:
        found = distribution("cardwright")
    except PackageNotFoundError:
        pytest.skip("the wheel is not installed")
    about = found.metadata
    assert about["License-Expression"] == "MIT OR Apache-2.0"
    licences = about.get_all("License-File") or []
    assert {name.rsplit("/")[-1] for name in licences} == {"LICENSE-APACHE", "LICENSE-MIT"}
    there = {path.as_posix(): path for path in files("cardwright") or []}
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        inside = [path for place, path in there.items() if place.endswith(f"licenses/{name}")]
        assert len(inside) == 1
        # Python packages carry a copy, as the repository's own lies outside of them.
        own = (ROOT / name).read_text(encoding="utf-8")
        assert inside[0].read_text(encoding="utf-8") == own == (ROOT / "python" / name).read_text(encoding="utf-8")
    assert {"cardwright/py.typed", "cardwright/_engine.pyi"} <= there.keys()
    assert about["Requires-Python"] == ">=3.11"
    assert about["Description-Content-Type"].startswith("text/markdown")
    assert about["Summary"]
    classifiers = about.get_all("Classifier") or []
    assert "Typing :: Typed" in classifiers
    assert not [name for name in classifiers if name.startswith("License ::")], "the expression says it"
    assert about["Keywords"]


def test_the_page_of_the_wheel_has_no_link_that_leads_nowhere() -> None:
    """A link that is relative leads nowhere where the page is shown outside of the repository."""
    page = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]*)\)", page)
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
