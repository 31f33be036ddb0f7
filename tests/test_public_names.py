"""The public names of the package, which are imported when they are first used."""

import pytest

import ome_select as ome


class TestPublicNames:
    """What `ome_select` offers, and what it says of a name that it does not."""

    @pytest.mark.parametrize("name", ome.__all__)
    def test_every_public_name_is_there(self, name: str) -> None:
        assert getattr(ome, name) is not None

    def test_the_list_of_names_holds_them_all(self) -> None:
        assert set(ome.__all__) <= set(dir(ome))

    def test_an_unknown_name_is_told(self) -> None:
        with pytest.raises(AttributeError, match="module 'ome_select' has no attribute 'choose'"):
            _ = ome.choose
