#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations and bytes that kernels really execute and move, by Nsight Compute, against the performance model.

    profile_model.py KokkosStencil_benchmarks [--suite model] [--candidate auto] [--ncu ncu] [--json FILE] [--rst FILE]
    profile_model.py --from FILE.json --rst FILE

For each case of the suite one pass of the kernel is profiled, and what it did for a point compared with what
`KokkosStencil_benchmarks --predict` says. The clocks of the machine are left alone. --json keeps what was measured.
"""

import argparse
import csv
import io
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_benchmarks import entries, read_json, split  # noqa: E402
from compare_benchmarks import run as run_script  # noqa: E402

BYTES = ("dram__bytes_read.sum", "dram__bytes_write.sum")
PREFIX = "smsp__sass_thread_inst_executed_op_"
FLOP = {PREFIX + "ffma_pred_on.sum": 2, PREFIX + "fadd_pred_on.sum": 1, PREFIX + "fmul_pred_on.sum": 1,
        PREFIX + "dfma_pred_on.sum": 2, PREFIX + "dadd_pred_on.sum": 1, PREFIX + "dmul_pred_on.sum": 1}
# A warp's mma.sp.m16n8k32 stands for 16 x 8 x 32 multiply-adds.
TENSOR = {"smsp__inst_executed_pipe_tensor_op_hmma.sum": 2 * 16 * 8 * 32}
UNITS = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "inst": 1, "": 1}


def profile(ncu, executable, name, suite):
    """{metric: value} of one launch of the library's kernel, and the backend that ran."""
    parts = split(name)
    # The first launches check the result; later ones repeat them.
    command = [ncu, "--clock-control", "none", "--csv", "--page", "raw", "--kernel-name-base", "demangled",
               "-k", "regex:KokkosStencil::(Cuda|Tensor)", "--launch-skip", "1", "--launch-count", "1",
               "--metrics", ",".join((*BYTES, *FLOP, *TENSOR)), executable, f"--suite={suite}",
               f"--candidates={parts['candidate']}", f"--benchmark_filter=^{name}(/|$)", "--samples=1", "--sample_ms=0.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    if len(lines) < 3:
        raise RuntimeError(f"{name}: nothing was profiled\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    header, units, values = list(csv.reader(io.StringIO("\n".join(lines))))[:3]
    found = {}
    for metric, unit, value in zip(header, units, values):
        if metric in BYTES or metric in FLOP or metric in TENSOR:
            found[metric] = float(value.replace(",", "")) * UNITS.get(unit, 1)
    # The label of the benchmark is the backend.
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith(name)]
    return found, rows[0][-1] if rows else "?"


def run(options):
    predicted = json.loads(subprocess.run([options.executable, f"--suite={options.suite}", "--predict=H200"],
                                          capture_output=True, text=True, check=True).stdout)["predictions"]
    rows = []
    names = dict.fromkeys(p["name"].replace("/" + split(p["name"])["candidate"] + "/", f"/{options.candidate}/", 1)
                          for p in predicted)
    for name in names:
        parts = split(name)
        try:
            metrics, backend = profile(options.ncu, options.executable, name, options.suite)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            continue
        radius = int(parts["shape"].rsplit("d", 1)[1][:-1])
        points = 1
        for n in parts["extents"].split("x"):
            points *= int(n) - 2 * radius
        case = name.replace("/" + parts["candidate"] + "/", f"/{backend}/", 1)
        model = min((p for p in predicted if p["name"] == case), key=lambda p: p["seconds"], default=None)
        flop = sum(metrics.get(m, 0) * f for m, f in FLOP.items())
        tensor = sum(metrics.get(m, 0) * f for m, f in TENSOR.items())
        # A pass makes no more sweeps than the case has.
        share = min(1.0, parts["steps"] / model["depth"]) if model else 1.0
        rows.append({"case": name, "backend": backend, "depth": model["depth"] if model else 0,
                     "flop": (tensor if tensor > flop else flop) / points,
                     "bytes": sum(metrics.get(m, 0) for m in BYTES) / points,
                     "model_flop": model["flop"] * share if model else 0, "model_bytes": model["bytes"] if model else 0})
    return rows


def ratio(measured, model):
    return f"{measured / model - 1:+.0%}" if model else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable", nargs="?")
    parser.add_argument("--suite", default="model")
    parser.add_argument("--candidate", default="auto")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--json")
    parser.add_argument("--from", dest="source")
    parser.add_argument("--rst")
    options = parser.parse_args()
    if options.source:
        rows = entries(read_json(options.source), "rows", options.source,
                       ("case", "backend", "depth", "flop", "bytes", "model_flop", "model_bytes"))
        if any(split(r["case"]) is None for r in rows):
            raise ValueError(f"{options.source}: a case without a name")
    elif options.executable:
        rows = run(options)
    else:
        parser.error("an executable, or --from FILE")
    lines = [("case", "backend", "depth", "FLOP: model", "ncu", "", "bytes: model", "ncu", "")]
    for r in rows:
        parts = split(r["case"])
        steps = f", {parts['steps']} sweeps" if parts["steps"] > 1 else ""
        lines.append((f"{parts['shape']} {parts['type']}{steps}", r["backend"], str(r["depth"]),
                      f"{r['model_flop']:.4g}", f"{r['flop']:.4g}", ratio(r["flop"], r["model_flop"]),
                      f"{r['model_bytes']:.4g}", f"{r['bytes']:.4g}", ratio(r["bytes"], r["model_bytes"])))
    for line in lines:
        print(f"{line[0]:28} {line[1]:20} " + " ".join(f"{cell:>12}" for cell in line[2:]))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"licence": "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception", "rows": rows}, file, indent=1)
    if options.rst:
        with open(options.rst, "w", encoding="utf-8") as file:
            file.write(".. SPDX-FileCopyrightText: 2026 The KokkosStencil authors\n"
                       ".. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n\n"
                       ".. Written by scripts/profile_model.py.\n\n"
                       ".. list-table:: A point in one pass: the model and Nsight Compute, NVIDIA H200\n"
                       "   :header-rows: 1\n\n")
            for line in lines:
                file.write("   * - " + "\n     - ".join(line) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(run_script(main))
