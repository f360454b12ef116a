"""Pages that would lead the browser astray, or keep it: each has its honest result.

That nothing reached the forbidden world is asserted after every test, by the fixture.
"""

import asyncio
import socket

import pytest

from lazyboy_jupyter.adapters.sources.browser.page_scripts import MAX_HTML
from lazyboy_jupyter.adapters.sources.browser.shown import BrowserPage
from tests.adapters.browser.conftest import Surf
from tests.loopback.replies import Reply, page, redirect
from tests.loopback.world import Request


@pytest.mark.parametrize(
    "urls",
    [
        ("http://169.254.169.254/", "http://[::1]/", "http://0x7f.1/", "https://127.0.0.1:9443/x"),
        ("file:///etc/passwd", "ftp://a.example/", "javascript:alert(1)", "chrome://version",
         "about:blank", "data:text/html,x", "view-source:http://a.example/"),
    ],
    ids=["hosts", "schemes"],
)  # fmt: skip
def test_forbidden_addresses_are_refused(surf: Surf, urls: tuple[str, ...]) -> None:
    """FIELD_CASES X1; the guard's own tests have every spelling."""
    assert {url: surf.failure(url).kind for url in urls} == dict.fromkeys(urls, "refused")


def test_a_redirect_to_a_forbidden_address_is_refused(surf: Surf) -> None:
    error = surf.failure(surf.put("/away", redirect(f"http://{surf.outside}/")))
    assert error.kind == "refused"
    assert "127.0.0.1 is an address of this machine" in error.sentence


def test_a_script_that_leads_to_a_forbidden_address_is_refused(surf: Surf) -> None:
    url = surf.put("/jump", f"<script>location.href = 'http://{surf.outside}/'</script>")
    assert surf.failure(url).kind == "refused"


def test_a_redirect_to_a_file_is_refused(surf: Surf) -> None:
    assert surf.failure(surf.put("/file", redirect("file:///etc/passwd"))).kind == "refused"


def test_nothing_that_a_page_tries_leaves_but_through_the_guard(surf: Surf) -> None:
    """FIELD_CASES D3, X1, X2: every way out that a page has, to addresses it must not reach."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    udp.setblocking(False)
    stun = udp.getsockname()[1]
    script = f"""
    const results = {{}};
    const tries = {{
      metadata: fetch("http://169.254.169.254/latest/meta-data/"),
      blind: fetch("http://{surf.outside}/fetch", {{ mode: "no-cors" }}),
      socket: new Promise((resolve, reject) => {{
        const s = new WebSocket("ws://{surf.outside}/ws"); s.onopen = resolve; s.onerror = reject;
      }}),
      events: new Promise((resolve, reject) => {{
        const s = new EventSource("http://{surf.outside}/events");
        s.onopen = resolve; s.onerror = reject;
      }}),
      file: fetch("file:///etc/passwd"),
      worker: navigator.serviceWorker.register("/sw.js").then(r => {{
        if (!r || !r.active && !r.installing && !r.waiting) throw new Error("blocked");
      }}),
      place: new Promise((resolve, reject) =>
        navigator.geolocation.getCurrentPosition(resolve, reject)),
      notify: Notification.requestPermission().then(p => {{
        if (p !== "granted") throw new Error(p);
      }}),
    }};
    navigator.sendBeacon("http://{surf.outside}/beacon", "x");
    window.open("http://{surf.outside}/popup");
    window.open("/popup-of-ours");
    new Image().src = "http://{surf.outside}/pixel.gif";
    const form = document.body.appendChild(document.createElement("form"));
    form.action = "http://{surf.outside}/form"; form.target = "_blank"; form.submit();
    const peer = new RTCPeerConnection({{ iceServers: [{{ urls: "stun:127.0.0.1:{stun}" }}] }});
    peer.createDataChannel("x");
    const gathered = new Promise(resolve => {{
      peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && resolve();
    }});
    peer.createOffer().then(offer => peer.setLocalDescription(offer));
    const outcomes = Object.entries(tries).map(([name, work]) =>
      work.then(() => `${{name}}=done`, () => `${{name}}=failed`));
    Promise.all([gathered, ...outcomes]).then(([_, ...lines]) => {{
      document.querySelector("p").textContent = lines.join(" ");
    }});
    """
    url = surf.put(
        "/hostile",
        f"<link rel=preconnect href='http://{surf.outside}'>"
        f"<link rel=prefetch href='http://{surf.outside}/prefetch'>"
        f"<link rel=stylesheet href='http://{surf.outside}/style.css'>"
        "<link rel=dns-prefetch href='//nowhere.invalid'><body><p>waiting</p>"
        "<img src=file:///etc/passwd><iframe src=file:///etc/passwd></iframe>"
        f"<iframe src='http://{surf.outside}/frame'></iframe><script>{script}</script>",
    )
    opened = surf.open(url)
    assert opened.text.split() == [
        f"{name}=failed"
        for name in (
            "metadata", "blind", "socket", "events", "file", "worker", "place", "notify",
        )
    ]  # fmt: skip
    assert "root:" not in opened.html
    with pytest.raises(BlockingIOError):
        udp.recv(100)
    udp.close()
    assert {request.path for request in surf.world.log} <= {"/hostile", "/sw.js"}


def test_a_socket_to_an_allowed_host_goes_through_the_guard_too(surf: Surf) -> None:
    surf.put("/ws", Reply(b"no upgrade", 400))
    address = f"ws://127.0.0.1:{surf.world.port}/ws"
    url = surf.put(
        "/socket",
        f"<p>waiting</p><script>const s = new WebSocket('{address}'); s.onerror = () =>"
        " document.querySelector('p').textContent = 'answered'</script>",
    )
    assert surf.open(url).text == "answered"
    assert [request.path for request in surf.world.log] == ["/socket", "/ws"]


def test_redirects_in_a_circle_end(surf: Surf) -> None:
    error = surf.failure(surf.put("/circle", redirect("/circle", set_cookie="a=b")))
    assert (error.kind, "circle" in error.sentence) == ("http_status", True)


def test_a_page_that_sends_itself_on_for_ever_ends(surf: Surf) -> None:
    def onward(request: Request) -> Reply:
        return Reply(b"<p>on</p><script>location.replace('/on?' + Math.random())</script>")

    error = surf.failure(surf.put("/on", onward))
    assert error.kind == "http_status"


def test_a_script_that_never_pauses_costs_its_own_page_only(surf: Surf) -> None:
    pages = {
        "a": surf.put("/busy", "<p>text</p><script>while (true) {}</script>"),
        "b": surf.put(
            "/later", "<p>x</p><script>setTimeout(() => { while (true) {} }, 50)</script>"
        ),
        "task": surf.put("/calm", "<p>calm</p>"),
    }

    async def all_at_once() -> list[object]:
        return await asyncio.gather(
            *(surf.browser.open(owner, url) for owner, url in pages.items()),
            return_exceptions=True,
        )

    first, second, calm = surf.run(all_at_once())
    assert (getattr(first, "kind", first), getattr(second, "kind", second)) == ("timeout",) * 2
    assert getattr(calm, "text", calm) == "calm"
    assert surf.open(pages["task"], "a").text == "calm"


def test_dialogs_are_dismissed(surf: Surf) -> None:
    url = surf.put(
        "/dialogs",
        "<p></p><script>onbeforeunload = e => e.preventDefault(); alert('stop'); const yes ="
        " confirm('go?'); prompt('name?'); print();"
        " document.querySelector('p').textContent = 'went on ' + yes</script>",
    )
    assert surf.open(url).text == "went on false"
    assert surf.open(surf.put("/next", "<p>next")).text == "next"


def test_what_is_no_page_is_named_and_not_kept(surf: Surf) -> None:
    attached = {"Content-Disposition": "attachment; filename=a.html"}
    files = [
        ("application/pdf", {}), ("application/octet-stream", {}), ("image/png", {}),
        ("application/zip", attached), ("text/html", attached),
    ]  # fmt: skip
    for content_type, headers in files:
        reply = Reply(b"%PDF-1.4 not really", content_type=content_type, headers=headers)
        error = surf.failure(surf.put("/file", reply))
        assert error.kind == "unsupported_type", content_type
        assert content_type in error.sentence
        assert "open_page" in error.hint


def test_a_page_that_starts_a_download_is_still_read(surf: Surf) -> None:
    surf.put("/a.zip", Reply(b"PK" * 1000, content_type="application/zip"))
    url = surf.put("/get", "<p>Your download starts.</p><a href=/a.zip download></a><script>"
                   "document.querySelector('a').click()</script>")  # fmt: skip
    assert surf.open(url).text.strip() == "Your download starts."


def test_a_page_that_is_too_large_is_refused(surf: Surf) -> None:
    big = Reply(b"<p>" + b"word " * 12_000_000)
    error = surf.failure(surf.put("/big", big))
    assert error.kind == "too_large"
    assert "4 MB" in error.sentence
    assert surf.open(surf.put("/small", "<p>small")).text == "small"


def test_a_page_whose_scripts_load_without_end_is_read_as_far_as_it_came(surf: Surf) -> None:
    surf.put("/endless", Reply(b"x" * 65_536, content_type="text/plain", fault="endless"))
    url = surf.put(
        "/stream", "<p>The text.</p><script>fetch('/endless').then(r => r.text())</script>"
    )
    opened = surf.open(url)
    assert opened.text == "The text."
    assert opened.truncated


def test_a_long_page_is_cut_and_says_so(surf: Surf) -> None:
    url = surf.put("/long", Reply(b"<pre>" + (b"word " * 20 + b"\n") * 21_000))
    opened = surf.open(url)
    assert opened.truncated
    assert len(opened.text) == 2_000_000


@pytest.mark.parametrize(
    "written",
    [
        "hidden('div').append('&'.repeat(9e6))",
        "hidden('div').append('\\u{1F600}'.repeat(3e6))",
        "const s = hidden('script'); s.type = 'application/ld+json'; s.append('1'.repeat(9e6))",
    ],
)
def test_one_text_without_end_is_cut_too(surf: Surf, written: str) -> None:
    hidden = (
        "const hidden = name => { const one = document.createElement(name); one.hidden = true;"
        "document.body.append(one); return one; };"
    )
    opened = surf.open(surf.put("/one", f"<p>The text.</p><script>{hidden}{written}</script>"))
    assert opened.truncated
    assert "<p>The text.</p>" in opened.html
    assert len(opened.html) < MAX_HTML + 1_000
    opened.html.encode()


def test_one_task_that_asks_for_many_pages_does_not_keep_the_others_waiting(surf: Surf) -> None:
    slow = surf.put("/silent", Reply(fault="no_headers"))
    quick = surf.put("/quick", "<p>The quick page.</p>")
    surf.open(quick, "a")  # a browser that has started

    async def scenario() -> tuple[list[bool], str]:
        greedy = [
            asyncio.ensure_future(surf.browser.open("a", f"{slow}?{number}")) for number in range(6)
        ]
        shown = await asyncio.ensure_future(surf.browser.open("b", quick))
        ended = [one.done() for one in greedy]
        for one in greedy:
            one.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)
        return ended, shown.text

    ended, text = surf.run(scenario())
    assert text == "The quick page."
    assert not any(ended), "the other task's page came after those of the first"


def test_a_page_that_crashes_its_tab_crashes_alone(surf: Surf) -> None:
    """Chromium itself gives up on a document that is nested without end."""
    url = surf.put(
        "/crash",
        "<p>x</p><script>let at = document.documentElement; for (let i = 0; i < 50000; i++)"
        " at = at.appendChild(document.createElement('div')); document.body.offsetTop</script>",
    )
    error = surf.failure(url)
    assert error.kind == "unreadable"
    assert "crashed" in error.sentence
    assert surf.open(surf.put("/fine", "<p>fine")).text == "fine"


def test_answers_that_are_no_page_have_their_names(surf: Surf) -> None:
    kinds = {404: "http_status", 500: "http_status", 410: "http_status", 429: "rate_limited"}
    for status, kind in kinds.items():
        error = surf.failure(surf.put("/status", Reply(b"<h1>Oh no</h1>", status)))
        assert error.kind == kind
        assert str(status) in error.sentence


def test_network_failures_have_their_names(surf: Surf) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        surf.world.put(f"{surf.base}/reset", Reply(fault="reset"))
        kinds = {
            "dns": surf.failure("http://nowhere.invalid/").kind,
            "dns_tls": surf.failure("https://nowhere.invalid/").kind,
            "reset": surf.failure(f"{surf.base}/reset").kind,
            "tls": surf.failure(f"https://localhost:{surf.world.tls_port}/").kind,
        }
    assert kinds == {
        "dns": "dns", "dns_tls": "dns", "reset": "connection", "tls": "tls",
    }  # fmt: skip


def test_a_cancelled_open_lets_go_of_the_site_and_the_owner_goes_on(surf: Surf) -> None:
    hanging = surf.put("/hanging", Reply(fault="no_headers"))
    fine = surf.put("/fine", page("Fine", "text"))

    async def scenario() -> str:
        task = asyncio.ensure_future(surf.browser.open("a", hanging))
        await asyncio.to_thread(
            surf.world.wait_until, lambda w: any(r.path == "/hanging" for r in w.log)
        )
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        await asyncio.to_thread(surf.world.wait_until, lambda w: w.open_connections == 0)
        return (await surf.browser.open("a", fine)).title

    assert surf.run(scenario()) == "Fine"


def test_releasing_an_owner_ends_what_it_waits_for(surf: Surf) -> None:
    hanging = surf.put("/hanging", Reply(fault="no_headers"))

    async def scenario() -> object:
        task = asyncio.ensure_future(surf.browser.open("a", hanging))
        await asyncio.to_thread(
            surf.world.wait_until, lambda w: any(r.path == "/hanging" for r in w.log)
        )
        await surf.browser.release("a")
        (outcome,) = await asyncio.gather(task, return_exceptions=True)
        return getattr(outcome, "kind", outcome)

    assert surf.run(scenario()) == "interrupted"


def test_pages_that_use_up_their_time_end_within_it(surf: Surf) -> None:
    pages = {
        "task": surf.put("/never", Reply(fault="no_headers")),
        "a": surf.put("/drip", Reply(b"<p>drop</p>", fault="drip")),
        "b": surf.put("/no", Reply(b"<h1>Access denied</h1><script>1</script>", 403)),
    }

    async def all_at_once() -> list[object]:
        return await asyncio.gather(
            *(surf.browser.open(owner, url) for owner, url in pages.items()),
            return_exceptions=True,
        )

    never, drip, refusing = surf.run(all_at_once())
    assert getattr(never, "kind", never) == "timeout"
    assert getattr(refusing, "kind", refusing) == "blocked"
    assert isinstance(drip, BrowserPage)
    assert "drop" in drip.text
    assert drip.truncated
