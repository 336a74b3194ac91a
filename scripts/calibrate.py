#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the efficiencies of the CUDA kernels to the GPU at hand.

    calibrate.py KokkosStencil_benchmarks [--device NAME_OR_FILE] [--suites full,small] [--results FILE.json ...]
                 [--output device.txt]

Without --results the suites are run first. The model predicts the same cases and says how each prediction depends on
each efficiency (--predict --sensitivities); a damped least-squares fit of the logarithms then finds the values that
explain the measurements best. Printed is one line for each value, as the Tuning.hpp of its family has it: now, fitted,
how many measurements it rests on. --output writes a description of the device with these values, which
set_device_model and the environment variable KOKKOSSTENCIL_DEVICE... read: for a GPU that the library does not know,
that file is the calibration; for one that it knows, copy what you believe into Tuning.hpp.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_benchmarks import split  # noqa: E402
from compare_model import case_of, measured_times  # noqa: E402

STEPS = 6         # of the fit
MOST = 0.4        # that a value changes in one step, as a logarithm
OUTLIER = 0.25    # errors beyond this count no more than this
PRIOR = 0.3       # what a value may differ from the present one, as a logarithm, beside an error of NOISE
NOISE = 0.05


def predict(executable, suites, device):
    text = subprocess.run([executable, f"--suite={suites}", f"--predict={device}", "--sensitivities"],
                          capture_output=True, text=True, check=True).stdout
    return json.loads(text)


def rows_of(data, measured):
    """[(log of measured over predicted, {name: sensitivity})] of every backend at its best depth."""
    best = {}
    for p in data["predictions"]:
        key = (case_of(p["name"]), split(p["name"])["candidate"])
        if key not in best or p["seconds"] < best[key]["seconds"]:
            best[key] = p
    rows = []
    for (case, backend), p in best.items():
        if backend in measured.get(case, {}):
            rows.append((math.log(measured[case][backend][0] / p["seconds"]), p.get("sensitivities", {})))
    return rows


def solve(matrix, vector):
    """Solution of a symmetric positive definite system, by Cholesky's factors."""
    n = len(vector)
    factor = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(a * b for a, b in zip(factor[i][:j], factor[j][:j]))
            factor[i][j] = math.sqrt(rest) if i == j else rest / factor[j][j]
    forward = []
    for i in range(n):
        forward.append((vector[i] - sum(a * b for a, b in zip(factor[i][:i], forward))) / factor[i][i])
    result = [0.0] * n
    for i in reversed(range(n)):
        result[i] = (forward[i] - sum(factor[j][i] * result[j] for j in range(i + 1, n))) / factor[i][i]
    return result


def fit_step(rows, moved):
    """{name: change of the logarithm}; `moved` is how far each has gone already."""
    names = sorted({name for _, s in rows for name in s})
    index = {name: i for i, name in enumerate(names)}
    n = len(names)
    matrix = [[0.0] * n for _ in range(n)]
    vector = [0.0] * n
    for error, sensitivities in rows:
        weight = min(1.0, OUTLIER / abs(error)) if error else 1.0
        terms = [(index[name], s) for name, s in sensitivities.items()]
        for i, a in terms:
            vector[i] += weight * a * error
            for j, b in terms:
                matrix[i][j] += weight * a * b
    damping = (NOISE / PRIOR) ** 2
    for i, name in enumerate(names):
        matrix[i][i] += damping
        vector[i] -= damping * moved.get(name, 0.0)
    return {name: max(-MOST, min(MOST, change)) for name, change in zip(names, solve(matrix, vector))}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable")
    parser.add_argument("--device", default="NVIDIA H200", help="a name of the table, or a file")
    parser.add_argument("--suites", default="full,small")
    parser.add_argument("--results", nargs="*", default=[])
    parser.add_argument("--output")
    options = parser.parse_args(arguments)

    with tempfile.TemporaryDirectory() as directory:
        results = options.results
        if not results:
            results = [os.path.join(directory, "measured.json")]
            subprocess.run([options.executable, f"--suite={options.suites}", f"--benchmark_out={results[0]}"],
                           stdout=subprocess.DEVNULL, check=True)
        measured = measured_times(results)
        device = options.device
        first, count, moved = {}, {}, {}
        for step in range(STEPS):
            data = predict(options.executable, options.suites, device)
            values = data["efficiencies"]
            rows = rows_of(data, measured)
            if not rows:
                print("no case was both measured and predicted", file=sys.stderr)
                return 2
            if step == 0:
                first = dict(values)
                for _, sensitivities in rows:
                    for name, s in sensitivities.items():
                        count[name] = count.get(name, 0) + (abs(s) > 0.05)
            error = math.sqrt(sum(min(abs(e), OUTLIER) ** 2 for e, _ in rows) / len(rows))
            print(f"step {step}: {len(rows)} measurements, error {error:.1%}", file=sys.stderr)
            if step + 1 == STEPS:
                break
            changes = fit_step(rows, moved)
            for name, change in changes.items():
                moved[name] = moved.get(name, 0.0) + change
                values[name] *= math.exp(change)
            device = os.path.join(directory, f"device{step}.txt")
            with open(device, "w", encoding="utf-8") as file:
                file.write(data["device_text"])
                for name, value in sorted(values.items()):
                    if name in changes:
                        file.write(f"efficiency {name} {value:.6g}\n")

        print(f"{'value':60} {'now':>11} {'fitted':>11} {'change':>8} {'measurements':>12}")
        for name in sorted(first):
            now, fitted = first[name], values[name]
            print(f"{name:60} {now:11.4g} {fitted:11.4g} {fitted / now - 1:+8.1%} {count.get(name, 0):12}")
        if options.output:
            with open(device, encoding="utf-8") as source, open(options.output, "w", encoding="utf-8") as file:
                file.write(source.read())
    return 0


if __name__ == "__main__":
    sys.exit(main())
