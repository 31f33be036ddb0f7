"""The public names of the package, which are imported when they are first used."""

import importlib

import pytest

import ome_select as ome
from ome_select import lazy, resources


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


class TestRecords:
    """What `ome_select.resources` offers."""

    @pytest.mark.parametrize("name", resources.__all__)
    def test_every_record_is_there(self, name: str) -> None:
        assert getattr(resources, name) is not None

    def test_an_unknown_record_is_told(self) -> None:
        with pytest.raises(AttributeError, match=r"module 'ome_select\.resources' has no attribute 'Pod'"):
            _ = resources.Pod


class TestImporter:
    """How a name is imported when it is first used."""

    def test_a_name_is_imported_once(self) -> None:
        # pytest's plugin has imported the module before coverage began to count.
        importer = importlib.reload(lazy).importer
        names: dict[str, object] = {}
        found = importer("ome_select", names, {"sizes": ("parse_size", "format_size")})("parse_size")
        assert found is ome.parse_size
        assert names == {"parse_size": found}
