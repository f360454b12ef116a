"""No spelling of a forbidden address reaches a socket (FIELD_CASES X1)."""

import asyncio
import ipaddress
from collections.abc import Sequence

import httpcore
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.sources.web.addresses import (
    AddressPolicy,
    is_public,
    literal_address,
)
from lazyboy_jupyter.adapters.sources.web.client import WebClient
from lazyboy_jupyter.adapters.sources.web.network import SystemNetwork
from lazyboy_jupyter.errors import SourceError, UsageError
from tests.adapters.web.conftest import client_of
from tests.loopback.network import PUBLIC, WorldNetwork
from tests.loopback.replies import page, redirect
from tests.loopback.world import LoopbackWorld

FORBIDDEN = """
127.0.0.1 127.0.0.1. 127.1 127.0.1 127.000.000.001 0127.0.0.1 0177.0.0.1 0177.0.0.01
0x7f.0.0.1 0x7f.1 0x7f000001 0X7F000001 2130706433 017700000001 127.255.255.254 127.0.0.53
0 0.0.0.0 0x0 0.0.0.1 localhost LOCALHOST localhost.
[::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001]
[::127.0.0.1] [::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1]
[2002:7f00:1::] [2002:7f00:0001::1] [2001::1] [2001:0:7f00:1::]
169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518 0xa9.254.0251.254
[::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::]
[fe80::1] [fd00:ec2::254] [fc00::1] [fec0::1] [ff02::1] [2001:db8::1] [3fff::1] [100::1] [5f00::1]
10.0.0.1 10.1 0xa.1 012.0.0.1 167772161 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1 0xc0a80001
3232235521 100.64.0.1 100.100.100.200 168.63.129.16 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.7
203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 4294967295
""".split()
IN_WORDS = """
\N{FULLWIDTH DIGIT ONE}27.0.0.1 127\N{IDEOGRAPHIC FULL STOP}0\N{IDEOGRAPHIC FULL STOP}0.1
\N{CIRCLED LATIN SMALL LETTER L}ocalhost \N{FULLWIDTH LATIN SMALL LETTER L}ocalhost
\N{CIRCLED DIGIT ONE}27.0.0.1 LocalHost %6c%6f%63%61%6c%68%6f%73%74 127%2e0%2e0%2e1
localhost%00.example.com
""".split()


class Dialless:
    """The machine's own names, and no sockets at all: a dial is a failure of the guard."""

    def __init__(self) -> None:
        self.dials: list[str] = []
        self._system = SystemNetwork()

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        return await self._system.resolve(host, port)

    async def connect(self, address: str, port: int, seconds: float) -> httpcore.AsyncNetworkStream:
        self.dials.append(address)
        raise httpcore.ConnectError("not in this test")


@pytest.mark.parametrize("host", FORBIDDEN + IN_WORDS)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_spelling_of_a_forbidden_address_reaches_a_socket(host: str, scheme: str) -> None:
    network = Dialless()

    async def run() -> SourceError:
        client = WebClient(network, AddressPolicy())
        with pytest.raises(SourceError) as caught:
            await client.fetch(f"{scheme}://{host}:8888/latest/meta-data")
        await client.close()
        return caught.value

    error = asyncio.run(run())
    assert network.dials == []
    # A spelling that this machine's name service does not take for an address is an unknown name.
    assert error.kind in {"refused", "dns"}
    if host in FORBIDDEN and literal_address(host) is not None:
        assert error.kind == "refused"


def test_enough_spellings_are_tried() -> None:
    assert len(set(FORBIDDEN + IN_WORDS)) >= 90


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *((host, 302) for host in FORBIDDEN),
        *((host, status) for host in FORBIDDEN[:2] for status in (301, 303, 307, 308)),
    ],
)
def test_a_redirect_to_one_is_refused(web: LoopbackWorld, host: str, status: int) -> None:
    web.put("http://a.example/", redirect(f"http://{host}/latest", status))
    network = WorldNetwork(web)
    network.answers |= {"localhost": [["127.0.0.1"]], "localhost.": [["127.0.0.1"]]}

    async def run() -> SourceError:
        async with client_of(web, network) as client:
            with pytest.raises(SourceError) as caught:
                await client.fetch("http://a.example/")
        return caught.value

    assert asyncio.run(run()).kind == "refused"
    assert network.dials == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    "answer", [["127.0.0.1"], ["::1"], ["10.0.0.1", PUBLIC], [PUBLIC, "fe80::1"]]
)
def test_a_name_that_leads_inside_is_refused(web: LoopbackWorld, answer: list[str]) -> None:
    web.put("http://a.example/", page("A"))
    network = WorldNetwork(web)
    network.answers["a.example"] = [answer]

    async def run() -> SourceError:
        async with client_of(web, network) as client:
            with pytest.raises(SourceError) as caught:
                await client.fetch("http://a.example/")
        return caught.value

    assert asyncio.run(run()).kind == "refused"
    assert network.dials == []


def test_a_changed_answer_of_the_name_service_is_judged_anew(web: LoopbackWorld) -> None:
    """Rebinding: the name was public when it was first looked up; each connection asks again, and
    goes to the very address that was judged."""
    web.put("http://a.example/", page("A"))
    network = WorldNetwork(web)
    network.answers["a.example"] = [[PUBLIC], ["127.0.0.1"]]

    async def run() -> SourceError:
        async with client_of(web, network) as client:
            assert (await client.fetch("http://a.example/")).status == 200
        async with client_of(web, network) as client:
            with pytest.raises(SourceError) as caught:
                await client.fetch("http://a.example/")
        return caught.value

    assert asyncio.run(run()).kind == "refused"
    assert network.dials == [(PUBLIC, 80)]
    assert network.lookups == ["a.example"] * 2


ALLOWED = [
    ("127.0.0.1", ["127.0.0.1", "0x7f.1", "127.0.0.1."], ["localhost", "127.0.0.2", "[::1]"]),
    ("localhost", ["localhost", "LOCALHOST."], ["127.0.0.1", "[::1]", "sub.localhost"]),
    ("[::1]", ["[::1]", "[0:0:0:0:0:0:0:1]"], ["127.0.0.1", "[::ffff:127.0.0.1]"]),
    ("10.0.0.0/8", ["10.0.0.1", "10.255.1.2", "0xa.1"], ["192.168.0.1", "a.test"]),
    ("intranet.test", ["intranet.test", "Intranet.Test."], ["x.intranet.test", "10.0.0.1"]),
    ("bücher.test", ["xn--bcher-kva.test", "bücher.test"], ["bucher.test"]),
    ("localhost:8888", [], ["localhost"]),
    ("*.corp.test", ["a.corp.test", "A.b.Corp.Test."], ["corp.test", "xcorp.test", "a.corp.test.x",
                                                       "10.0.0.1"]),
    ("*.bücher.test", ["a.bücher.test", "a.xn--bcher-kva.test"], ["bücher.test"]),
    ("my_host", ["my_host"], ["my-host"]),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "opened", "shut"), ALLOWED)
def test_allow_hosts_opens_exactly_what_it_names(
    entry: str, opened: list[str], shut: list[str]
) -> None:
    policy = AddressPolicy.allowing([entry])
    for host in opened:
        policy.check(host, 80, _addresses(host))
    for host in shut:
        with pytest.raises(SourceError):
            policy.check(host, 80, _addresses(host))


def _addresses(host: str) -> list[str]:
    literal = literal_address(host)
    return ["10.0.0.1"] if literal is None else [str(literal)]


def test_a_port_opens_that_port_alone() -> None:
    policy = AddressPolicy.allowing(["localhost:8888", "10.0.0.5:80", "[::1]:99", "*.a.test:81"])
    policy.check("b.a.test", 81, ["10.0.0.1"])
    with pytest.raises(SourceError):
        policy.check("b.a.test", 80, ["10.0.0.1"])
    policy.check("localhost", 8888, ["127.0.0.1"])
    policy.check("10.0.0.5", 80, ["10.0.0.5"])
    policy.check("::1", 99, ["::1"])
    for host, port in (("localhost", 8889), ("10.0.0.5", 81), ("::1", 80), ("10.0.0.6", 80)):
        with pytest.raises(SourceError) as caught:
            policy.check(host, port, [str(literal_address(host) or "127.0.0.1")])
        assert "allow_hosts" in caught.value.hint


@pytest.mark.parametrize(
    "entry",
    ["", "  ", "http://a.test/", "a/b", "10.0.0.0/99", "localhost:", "localhost:x", "localhost:0",
     "localhost:99999", "localhost:-1", ":80", "name@a.test", "a name", "a,b", "a..test", ".a.test",
     "*", "*.", "*a.test", "a.*.test", "*.*.test", "*.0.0.1", "*.10.0.0.0/8", "-a.test", "a-",
     "[a.test]", "::1:x", "a" * 64, "a." * 130 + "test", "a.test\x00",
     "localhost:\N{SUPERSCRIPT TWO}"],
)  # fmt: skip
def test_what_cannot_be_allowed_is_said(entry: str) -> None:
    with pytest.raises(UsageError, match="no host that can be allowed") as caught:
        AddressPolicy.allowing([entry])
    assert "*.intranet.example" in caught.value.hint


@given(st.ip_addresses(v=4))
def test_an_address_and_its_ipv6_disguises_are_judged_alike(
    address: ipaddress.IPv4Address,
) -> None:
    number = int(address)
    disguises = [
        ipaddress.IPv6Address(0xFFFF_0000_0000 + number),
        ipaddress.IPv6Address((0x2002 << 112) + (number << 80)),
        ipaddress.IPv6Address((0x64_FF9B << 96) + number),
    ]
    for disguise in disguises:
        assert is_public(str(disguise)) == is_public(str(address))
    if is_public(str(address)):
        assert address.is_global


@given(st.ip_addresses(v=6))
def test_what_python_calls_private_is_never_public(address: ipaddress.IPv6Address) -> None:
    if is_public(str(address)):
        assert address.is_global or address.sixtofour is not None
        assert not address.is_multicast
