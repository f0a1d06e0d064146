"""Bytes that only a forger writes for values of classes, moments and decimals: refused."""

from __future__ import annotations

from typing import Any

import pytest

from se_agent.errors import WireError
from se_agent.wire import dumps, loads, same


class TestHostileBytes:
    @pytest.mark.parametrize(
        "data",
        [
            b'{"m":"1_0"}',
            b'{"m":" 1"}',
            b'{"m":1}',
            b'{"m":"x"}',
            b'{"y":"20240101"}',
            b'{"y":"2024-13-01"}',
            b'{"w":"2024-01-01"}',
            b'{"h":"12"}',
            b'{"e":"1,2"}',
            b'{"e":"0,86400,0"}',
            b'{"v":["i",["1"]]}',
            b'{"v":["y",["2024-01-01",1]]}',
            b'{"v":["y",[]]}',
            b'{"K":[1,"m","A",["x"],[1]]}',
            b'{"K":[true,"m","A",["x"],[1,2]]}',
            b'{"K":[true,"m","A",["x","x"],[1,2]]}',
            b'{"K":[true,"m","A\\n",["x"],[1]]}',
            b'{"K":[true,"m","A",[1],[1]]}',
            b'{"K":[true,1,"A",["x"],[1]]}',
            b'{"W":[false,"m","A",["x","y"],[[1],[1,2]]]}',
            b'{"W":[false,"m","A",["x"],[[1],[2]]]}',
            b'{"W":[false,"m","A",[],[]]}',
            b'{"E":["m","A",1]}',
            b'{"E":["m","A","\\n"]}',
            b'{"E":["m","A b","c"]}',
            b'{"V":["m","A",[1]]}',
            b'{"V":["m","A",5]}',
        ],
    )
    def test_is_refused(self, data: bytes) -> None:
        with pytest.raises(WireError, match="not typed JSON"):
            loads(data)

    def test_tables_in_tables_are_no_bomb(self) -> None:
        nulls = ",".join(["null"] * 13_000)
        for table in ('{"R":[%s]}', '{"W":[false,"","a",["x"],[%s]]}'):
            text = f"[{nulls}]"
            for _ in range(90):
                text = table % text
            with pytest.raises(WireError, match="tables nested deeper than"):
                loads(text.encode())
        value: Any = list(range(40))
        for _ in range(60):
            value = [[one] for one in value]
        assert same(loads(dumps(value)), value)
