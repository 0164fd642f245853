"""Starting the browser."""

from __future__ import annotations

import os
import shutil

from playwright.sync_api import Browser, Playwright

QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def launch(playwright: Playwright) -> Browser:
    """The browser that `./dev` found (no path: playwright's own); root has to do without the sandbox."""
    path = os.environ.get("TAMAYA_CHROMIUM", shutil.which("chromium-headless-shell") or shutil.which("chromium"))
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    arguments = [*QUIET, "--no-sandbox"] if is_root else [*QUIET]
    return playwright.chromium.launch(executable_path=path or None, args=arguments)
