"""Finding the browser that is already on the machine; none is ever downloaded."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
WINDOWS = (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")

# Headless, as any user, and without one request of its own to another host.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = "no Chromium, Chrome or Edge found; install one, or name its program in the variable CHROMIUM"


def find_chromium() -> str | None:
    """The path of a Chromium-like browser, or None. The variable CHROMIUM overrules the search."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found:
        return found
    roots = [Path(os.environ[name]) for name in WINDOWS_FOLDERS if name in os.environ]
    places = [*map(Path, MAC), *(root / tail for root in roots for tail in WINDOWS)]
    return next((str(place) for place in places if place.is_file()), None)
