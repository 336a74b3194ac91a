#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the texts agree with the code.

  check_docs.py shown_code       C++ shown in Markdown files equals the compiled snippets
  check_docs.py api_pages        every public header has a page in docs/api, listed in its index
  check_docs.py api_names XML    every public class, function and macro is on a page in docs/api
"""

import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKDOWN = ["README.md", "CONTRIBUTING.md", "backends/README.md"]
# A C++ block in Markdown is preceded by the snippet it repeats.
SOURCE = re.compile(r"<!-- snippet: (\S+) (\S+) -->\n```cpp\n(.*?)```", re.DOTALL)
# Outlines that are not complete code say so.
OUTLINE = re.compile(r"<!-- outline -->\n```cpp\n")


def dedent(lines):
    depth = min((len(l) - len(l.lstrip()) for l in lines if l.strip()), default=0)
    return "\n".join(l[depth:].rstrip() for l in lines).strip("\n")


def region(file, name):
    """The lines between the two marks //! [name]."""
    lines = (ROOT / "docs" / "snippets" / file).read_text().splitlines()
    marks = [i for i, l in enumerate(lines) if l.strip() == f"//! [{name}]"]
    if len(marks) != 2:
        return None
    return dedent(lines[marks[0] + 1 : marks[1]])


def shown_code():
    errors = []
    for page in MARKDOWN:
        text = (ROOT / page).read_text()
        shown = SOURCE.findall(text)
        blocks = len(re.findall(r"^```cpp$", text, re.MULTILINE)) - len(OUTLINE.findall(text))
        if blocks != len(shown):
            errors.append(f"{page}: {blocks} C++ blocks, but {len(shown)} with a line <!-- snippet: FILE NAME -->")
        for file, name, code in shown:
            compiled = region(file, name)
            if compiled is None:
                errors.append(f"{page}: docs/snippets/{file} has no region [{name}]")
            elif compiled != code.strip("\n"):
                errors.append(f"{page}: the block differs from region [{name}] of docs/snippets/{file}")
    marks = re.compile(r"literalinclude:: (\S+)((?:\n\s+:.*)+)")
    for page in sorted((ROOT / "docs").rglob("*.rst")):
        for file, options in marks.findall(page.read_text()):
            path = (page.parent / file).resolve()
            for name in re.findall(r":start-after: //! \[(.+)\]", options):
                if not path.exists() or region(path.name, name) is None:
                    errors.append(f"{page.relative_to(ROOT)}: {file} has no region [{name}]")
    return errors


def api_pages():
    errors = []
    include = ROOT / "core" / "include"
    headers = {p.name for p in include.glob("*.hpp")} | {p.name[:-3] for p in include.glob("*.hpp.in")}
    headers |= {p.name for p in (ROOT / "distributed" / "include").glob("*.hpp")}
    api = ROOT / "docs" / "api"
    index = (api / "index.rst").read_text()
    for header in sorted(headers):
        stem = header[: -len(".hpp")]
        page = api / f"{stem}.rst"
        if not page.exists():
            errors.append(f"{header} has no page; write docs/api/{stem}.rst (copy the shape of a neighbour)")
            continue
        if f"#include <{header}>" not in page.read_text():
            errors.append(f"docs/api/{stem}.rst does not show #include <{header}>")
        if not re.search(rf"^\s+{stem}$", index, re.MULTILINE):
            errors.append(f"docs/api/index.rst does not list {stem}")
    for page in sorted(api.glob("KokkosStencil*.rst")):
        if f"{page.stem}.hpp" not in headers:
            errors.append(f"docs/api/{page.name} is about a header that does not exist")
    return errors


def api_names(xml_directory):
    errors = []
    index = xml.etree.ElementTree.parse(pathlib.Path(xml_directory) / "index.xml").getroot()
    text = "\n".join(p.read_text() for p in sorted((ROOT / "docs" / "api").glob("*.rst")))
    shown = set(re.findall(r"doxygen(?:class|struct):: KokkosStencil::(\w+)", text))
    files = set(re.findall(r"doxygenfile:: (\S+)", text))
    for compound in index.iter("compound"):
        name = compound.findtext("name")
        if compound.get("kind") in ("class", "struct") and re.fullmatch(r"KokkosStencil::\w+", name):
            if name.split("::")[1] not in shown:
                errors.append(f"{name} is on no page in docs/api; add it to the page of its header")
        if compound.get("kind") == "file" and name not in files and compound.find("member") is not None:
            errors.append(f"the page of {name} in docs/api lacks its functions; add a doxygenfile line")
    return errors


def main():
    checks = {"shown_code": shown_code, "api_pages": api_pages, "api_names": api_names}
    if len(sys.argv) < 2 or sys.argv[1] not in checks:
        print(__doc__)
        return 2
    errors = checks[sys.argv[1]](*sys.argv[2:])
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
