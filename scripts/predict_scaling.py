#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kokkosstencil_explain says of the runs of KokkosStencil_scaling, beside what they took.

    predict_scaling.py RESULT.json [RESULT.json ...] [--explain PROGRAM] [--device NAME]

Each result of an engine on two GPUs or more gets "predicted", microseconds a sweep, and "predicted_of_alone", as
"of_alone"; one GPU gets "predicted". The files are written anew, and a line for each is printed. Runs with checks
(iterate_until) are left out.
"""

import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_benchmarks import entries, read_json, run, split  # noqa: E402

ENGINES = ("peer", "nccl", "mpi")
NEAR = 0.10


def prediction(explain, device, parts, depth):
    """The rows of kokkosstencil_explain for a result: of one GPU, and of all."""
    shape, where = parts["shape"].split("-")
    rank, radius = where.split("d")
    edges = [int(e) for e in parts["extents"].split("x")]
    cut = [int(c) for c in parts["cut"].split("x")] if parts["cut"] else [parts["ranks"]] + [1] * (len(edges) - 1)
    if parts["scaling"] == "weak":
        edges = [e // c for e, c in zip(edges, cut)]
    command = [explain, "--json", "--device", device, "--shape", shape, "--rank", rank, "--radius",
               radius.rstrip("r"), "--type", parts["type"], "--extents", "x".join(map(str, edges)), "--steps",
               str(parts["steps"]), "--ranks", str(parts["ranks"]), "--cut", "x".join(map(str, cut))]
    if parts["candidate"] in ENGINES:
        command += ["--engine", parts["candidate"]]
    if parts["scaling"] == "strong":
        command.append("--strong")
    if depth:
        command += ["--halo-depth", str(depth)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def add(path, explain, device):
    data = read_json(path)
    device = device or data.get("context", {}).get("gpu", "")
    lines = []
    for b in entries(data, "benchmarks", path):
        parts = split(b["name"])
        if parts is None or "check_every" in b["name"] or parts["candidate"] not in ENGINES + ("alone",):
            continue
        rows = prediction(explain, device, parts, b.get("sweeps_an_exchange"))
        if parts["candidate"] == "alone" or parts["ranks"] == 1:
            b["predicted"] = round(rows[0]["seconds"] * 1e6, 4)
        else:
            b["predicted"] = round(rows[-1]["seconds"] * 1e6, 4)
            b["predicted_of_alone"] = round(rows[0]["seconds"] / rows[-1]["seconds"], 4)
        line = f"{b['name']}: {b['real_time']:.2f} us, predicted {b['predicted']:.2f}"
        if "of_alone" in b and "predicted_of_alone" in b:
            line += f"; of alone {b['of_alone']:.3f}, predicted {b['predicted_of_alone']:.3f}"
            off = b["predicted_of_alone"] / b["of_alone"] - 1
            line += "" if abs(off) <= NEAR else f" ({100 * off:+.0f} %)"
        lines.append(line)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file, indent=1)
        file.write("\n")
    return lines


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="RESULT.json")
    parser.add_argument("--explain", default="kokkosstencil_explain", metavar="PROGRAM", help="where that program is")
    parser.add_argument("--device", default="", metavar="NAME", help="the GPU, for --device of that program")
    arguments = parser.parse_args(argv)
    for path in arguments.files:
        for line in add(path, arguments.explain, arguments.device):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
