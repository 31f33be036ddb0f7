"""Every exact text of docs/rules.md, sections 10 to 16 and 21, is held by a test, or there is a reason why not."""

from tests.spec_texts import SECTIONS, UNTESTED, holders, texts


def test_every_text_is_held_or_explained():
    assert [text for text, files in holders().items() if not files and text.text not in UNTESTED] == []


def test_the_texts_are_found():
    found = list(texts())
    assert {text.section for text in found} == set(SECTIONS)
    assert len(found) >= 100
    assert "decoder cannot be specified without engine" in {text.text for text in found}


def test_an_explanation_is_for_a_text_that_exists_and_is_not_held():
    held = {text.text: files for text, files in holders().items()}
    assert UNTESTED.keys() <= held.keys()
    # What is no message may stand in a test all the same.
    assert {text for text, why in UNTESTED.items() if why != "this is no message" and held[text]} == set()


def test_a_placeholder_stands_for_anything_and_the_rest_for_itself():
    text = next(text for text in texts() if text.text.startswith("unknown accelerator classes"))
    assert text.is_in(["unknown accelerator classes referenced in AcceleratorRequirements: [x y]"])
    assert not text.is_in(["unknown accelerator class referenced in AcceleratorRequirements: [x y]"])
