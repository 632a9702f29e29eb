"""Generated blocks of a page."""

from bench.markdown import with_block


def test_a_block_replaces_the_former_one_of_its_name_or_is_appended() -> None:
    block = "<!-- one:begin -->\nold\n<!-- one:end -->\n"
    page = f"# Page\n\n{block}\n{block.replace('one', 'two')}\nAfter.\n"

    assert with_block(page, "one", "new") == page.replace("old", "new", 1)
    assert with_block("# Page\n", "one", "old") == f"# Page\n\n{block}"
