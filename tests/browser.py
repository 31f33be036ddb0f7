"""A headless Chromium, driven over its DevTools protocol: enough of it to open pages and ask what they show."""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from websocket import create_connection

SECONDS = 30
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
)


_PAGE_IS_GONE = -32000
"""The protocol's number for a question to a page that the window has left."""


class PageIsGoneError(Exception):
    """The page was left before it could answer."""


def find_chromium() -> str | None:
    """The path of a Chromium, or None where there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One window; `with Browser(...)` starts it with a fresh profile and ends it."""

    def __init__(self, program: str, profile: Path) -> None:
        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._socket = create_connection(self._address(profile / "DevToolsActivePort"), timeout=SECONDS)
        except BaseException:
            self._process.kill()
            self._process.wait()
            raise
        self._number = 0
        self._events: list[dict[str, Any]] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def _address(self, port_file: Path) -> str:
        """The address of the first window, once the browser listens."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise OSError(f"the browser ended with status {self._process.returncode}")
            if port_file.exists() and (lines := port_file.read_text().splitlines()):
                with urllib.request.urlopen(f"http://127.0.0.1:{lines[0]}/json/list", timeout=SECONDS) as reply:
                    windows = [target for target in json.load(reply) if target["type"] == "page"]
                if windows:
                    return str(windows[0]["webSocketDebuggerUrl"])
            time.sleep(0.05)
        raise OSError("the browser does not listen")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()
        self._process.terminate()
        try:
            self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a DevTools method and return its result; events that come meanwhile are kept."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._number:
                if message.get("error", {}).get("code") == _PAGE_IS_GONE:
                    raise PageIsGoneError(message["error"]["message"])
                assert "error" not in message, message
                return dict(message["result"])
            self._events.append(message)

    def open(self, address: str) -> list[str]:
        """Load a page and return everything that went wrong: console errors, exceptions, files that did not come."""
        # From an empty page, even the page that is open already loads anew.
        self._navigate("about:blank")
        self._navigate(address)
        # What scripts do when the page is there has happened once the page answers a question.
        self.evaluate("new Promise(done => setTimeout(done, 0))")
        return [problem for event in self._events if (problem := _problem(event))]

    def _navigate(self, address: str) -> None:
        self._events.clear()
        self.call("Page.navigate", url=address)
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._events.append(json.loads(self._socket.recv()))

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited when it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> Any:
        """The first true value of an expression; the last one when it stays false."""
        end = time.monotonic() + SECONDS
        value = None
        while not value and time.monotonic() < end:
            # While a link leads from one page to the next, there is nobody to ask.
            with contextlib.suppress(PageIsGoneError):
                value = self.evaluate(expression)
            time.sleep(0 if value else 0.05)
        return value

    def width(self, pixels: int, height: int = 844) -> None:
        """Show pages as a window of this width would; a phone's scroll bar takes no room."""
        self.call("Emulation.setScrollbarsHidden", hidden=True)
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write what the window shows, or the whole page, as a PNG file."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))


def _problem(event: dict[str, Any]) -> str | None:
    method, details = event["method"], event.get("params", {})
    if method == "Runtime.exceptionThrown":
        return f"exception: {details['exceptionDetails']['text']}"
    if method == "Runtime.consoleAPICalled" and details["type"] in ("error", "warning", "assert"):
        return f"console: {[value.get('value') for value in details['args']]}"
    if method == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
        return f"log: {details['entry']['text']} {details['entry'].get('url', '')}"
    if method == "Network.loadingFailed" and not details.get("canceled"):
        return f"network: {details['errorText']}"
    if method == "Network.responseReceived" and details["response"]["status"] >= 400:
        return f"network: {details['response']['status']} {details['response']['url']}"
    return None
