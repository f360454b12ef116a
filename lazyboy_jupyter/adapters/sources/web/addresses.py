"""Owns which network addresses may be connected to; it looks nothing up and connects to nothing.

An address is judged after it was looked up and right before it is connected to, so a spelling, a
redirect or a changed answer of the name service cannot get around it (DESIGN §5).
"""

import re
import socket
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Self

import idna

from ....errors import SourceError, UsageError

Address = IPv4Address | IPv6Address
_Network = IPv4Network | IPv6Network

# IANA's registries of special-purpose addresses, as a list of our own: `is_global` differs
# between Python versions, and takes multicast, 6to4 and NAT64 for public.
_FORBIDDEN = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
            "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24",
            "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
            "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "168.63.129.16/32",  # a cloud's own service address, though not in a special range
        ),
    )
)  # fmt: skip
# Of IPv6 only global unicast is public (RFC 4291 §2.4), less what is set aside in it.
_GLOBAL_V6 = IPv6Network("2000::/3")
_FORBIDDEN_V6 = tuple(
    map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20", "2620:4f:8000::/48"))
)
_MOST_PORT = 65_535
# A name as it is compared. Underscores stand in none by RFC 1123, and in many of intranets.
_NAME = re.compile(r"(?=.{1,253}$)(?:(?!-)[a-z0-9_-]{1,63}(?<!-)\.)*(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NAT64 = IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class _Opened:
    """One entry of `allow_hosts`: a name, an address or a range, with its port, if any.

    A name that begins with a dot stands for all names below it.
    """

    name: str
    network: _Network | None
    port: int | None

    @classmethod
    def parse(cls, entry: str) -> Self:
        """Raises `UsageError` for what is no host."""
        text = entry.strip()
        try:
            network = ip_network(text.strip("[]"))
        except ValueError:
            pass
        else:
            return cls("", network, None)
        host, port = _split_port(text)
        address = literal_address(host)
        name = host_key(host.removeprefix("*."))
        if address is not None:
            return cls("", ip_network(address), port)
        if not _NAME.fullmatch(name) or literal_address(name) is not None or "[" in host:
            raise UsageError(
                f"{entry[:80]!r} is no host that can be allowed.",
                "Write a name, an address or a range: intranet.example, *.intranet.example, "
                "10.0.0.5:8080, 10.0.0.0/8.",
            )
        return cls(f".{name}" if host.startswith("*.") else name, None, port)

    def opens(self, host: str, port: int, literal: Address | None) -> bool:
        """Whether a connection to `host` is what this entry names; a name is never an address."""
        if self.port is not None and self.port != port:
            return False
        if self.network is None:
            is_below = self.name.startswith(".") and host.endswith(self.name)
            return literal is None and (host == self.name or is_below)
        return literal is not None and literal in self.network


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Which hosts may be connected to: public ones, and those a person allowed."""

    opened: tuple[_Opened, ...] = ()

    @classmethod
    def allowing(cls, hosts: Collection[str]) -> Self:
        """Return a policy that also opens `hosts`, exactly. Raises `UsageError`."""
        return cls(tuple(_Opened.parse(host) for host in hosts))

    def check(self, host: str, port: int, addresses: Sequence[str]) -> None:
        """Raise `SourceError` ("refused") unless every address that `host` has may be used.

        One forbidden address among public ones refuses the host: whoever owns the name chooses
        which of them is used.
        """
        key, literal = host_key(host), literal_address(host)
        if any(one.opens(key, port, literal) for one in self.opened):
            return
        for address in addresses:
            if not is_public(address):
                raise SourceError(
                    "refused",
                    f"{host[:200]} is an address of this machine or of a private network.",
                    f'If it may be read, allow it: allow_hosts=["{key[:200]}"].',
                )


def is_public(address: str) -> bool:
    """Whether `address` is one of the public internet; False for what is no address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        inner = _inner(ip)
        if inner is not None:
            return is_public(str(inner))
        return (
            ip.scope_id is None
            and ip in _GLOBAL_V6
            and not any(ip in network for network in _FORBIDDEN_V6)
        )
    return not any(ip in network for network in _FORBIDDEN)


def _inner(ip: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 one leads to: mapped, 6to4, NAT64."""
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip.sixtofour is not None:
        return ip.sixtofour
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFF_FFFF)
    return None


def literal_address(host: str) -> Address | None:
    """Return the address that `host` spells, in any way a resolver understands, or None.

    `0x7f.1`, `2130706433` and `017700000001` are 127.0.0.1 to `inet_aton`, and so to most tools.
    """
    text = host.strip("[]").rstrip(".")
    try:
        return ip_address(text)
    except ValueError:
        pass
    if not text or not all(part[:1].isdigit() for part in text.split(".")) or " " in text:
        return None
    try:
        return IPv4Address(socket.inet_aton(text))
    except (OSError, UnicodeError, ValueError):
        return None


def host_key(host: str) -> str:
    """Return a host name in the form in which two are compared: lower case, IDNA, no last dot."""
    lowered = host.strip("[]").rstrip(".").lower()
    if lowered.isascii():
        return lowered
    try:
        return idna.encode(lowered, uts46=True).decode("ascii")
    except idna.IDNAError:
        return lowered


def _split_port(text: str) -> tuple[str, int | None]:
    """What follows a colon and is no port stays in the name, which is none then."""
    host, _, port = text.rpartition(":")
    is_port = port.isascii() and port.isdigit() and 0 < int(port[:9]) <= _MOST_PORT
    if is_port and (host.endswith("]") or ":" not in host):
        return host, int(port[:9])
    return text, None
