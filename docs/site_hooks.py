"""What the documentation site does beyond MkDocs: links that leave ``docs/``, and a check that nothing is fetched.

A link from a page to a file elsewhere in the repository leads to a copy of that file, in the site's folder
``repository``; a Markdown file becomes a page there, and its own links follow the same rule. Called by MkDocs.
"""

from __future__ import annotations

import logging
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
ALWAYS = ("CHANGELOG.md", "CONTRIBUTING.md")
COPIES = "repository/"
LINK = re.compile(r"(\]\()([^)#:\s]+)(#[^)\s]*)?(?=\))")
FETCHED = re.compile(r"<(?:script|img|iframe|link)\b[^>]*?\b(?:src|href)=[\"']?(?:https?:)?//[^>]*>")
log = logging.getLogger("mkdocs.hooks")


def in_repository(page: str) -> str:
    """Return the path in the repository of a page of the site."""
    return page.removeprefix(COPIES) if page.startswith(COPIES) else f"docs/{page}"


def in_site(path: str) -> str:
    """Return the path in the site of a file of the repository."""
    return path.removeprefix("docs/") if path.startswith("docs/") else COPIES + path


def targets(text: str, path: str) -> set[str]:
    """Return the files of the repository that the text of a file links to."""
    found = {posixpath.normpath(posixpath.join(posixpath.dirname(path), link[1])) for link in LINK.findall(text)}
    return {target for target in found if (ROOT / target).is_file()}


def outside(paths: set[str]) -> set[str]:
    """Return all files outside docs that pages link to, directly or through each other."""
    found: set[str] = set()
    while paths:
        path = paths.pop()
        if not path.startswith("docs/"):
            found.add(path)
        if path.endswith(".md"):
            linked = targets((ROOT / path).read_text(encoding="utf-8"), path)
            paths |= {target for target in linked if not target.startswith("docs/")} - found
    return found


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add copies of the files that pages link to."""
    pages = {in_repository(file.src_uri) for file in files.documentation_pages()}
    for path in sorted(outside(pages | set(ALWAYS))):
        files.append(File.generated(config, COPIES + path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links that leave the folder of a page lead to the copies."""
    here = page.file.src_uri
    path = in_repository(here)

    def moved(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link[2]))
        if target.startswith("docs/") == path.startswith("docs/") and not here.startswith(COPIES):
            return link[0]
        return f"{link[1]}{posixpath.relpath(in_site(target), posixpath.dirname(here) or '.')}{link[3] or ''}"

    return LINK.sub(moved, markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Warn, which ends a strict build, if a page would fetch something from elsewhere."""
    for element in FETCHED.findall(output):
        log.warning("%s would fetch %s: the site must work without a network", page.file.src_uri, element)
    return output
