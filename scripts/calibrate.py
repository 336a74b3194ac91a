#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the performance model to the GPU at hand.

    calibrate.py KokkosStencil_benchmarks [--output device.txt]                          (on the GPU)
    calibrate.py KokkosStencil_benchmarks --measured results.json ... [--output device.txt]     (anywhere)

Without --measured the suites are run first, some ten minutes. The model predicts the same cases and says how each
prediction depends on each efficiency that the Tuning.hpp of the families hold (--predict --sensitivities); the values
that explain the measurements best, in logarithms, are found by damped least squares. A value that the measurements do not
determine stays as it is: one that fewer than --least cases depend on, or only together with others. Cases that were
timed on the device alone (device_us) count by that time.

Printed are the errors of the predictions and how good the choices are, before and after, and a line for each value, to be
reviewed and written into the Tuning.hpp of its family. --output writes a description of the device with the values that
changed, for read_device and set_device_model, kokkosstencil_explain --device and --predict: for a GPU that the library
does not know, that file is the calibration. Its rates are those of the device_peaks among the measurements.

    --device NAME   a GPU of the table, or a file, to start from; by default the GPU of the measurements
    --suites A,B    what is run and predicted (default: full,small,random; with --measured what is in the files counts)
    --keep REGEX    values that stay: "host_launch", say, where measurements are of several hosts
    --seed, --cases of the suite random
"""

import argparse
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_benchmarks import entries, read_json, run, split  # noqa: E402
from compare_model import NEAR, case_of, choices, measured_times, predicted_times  # noqa: E402

STEPS = 8         # of the fit, at most
MOST = 0.4        # that a value changes in one step, as a logarithm
OUTLIER = 0.25    # errors beyond this count no more than this
PRIOR = 0.3       # what a value may differ from the present one, as a logarithm, beside an error of NOISE
NOISE = 0.05
DETERMINED = 0.7  # part of a value's prior variance that the measurements have to take away
FEW = 0.1         # what a backend counts that is ten times slower than the fastest or more
PEAKS = {"bandwidth": "copy/", "float_rate": "fma/float", "double_rate": "fma/double", "half_tensor": "mma/f16",
         "tf32_tensor": "mma/tf32", "double_tensor": "mma/f64", "half_sparse": "mma_sp/f16", "tf32_sparse": "mma_sp/tf32"}


def call(command):
    """What a program prints; ValueError with its own words if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError((done.stderr.strip() or f"{command[0]} failed").splitlines()[-1])
    return done.stdout


def predict(options, device, directory):
    """(predictions as compare_model reads them, the same as they are printed), for one device."""
    path = os.path.join(directory, "predictions.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(call([options.executable, f"--suite={options.suites}", f"--predict={device}", "--sensitivities",
                         f"--seed={options.seed}", f"--cases={options.cases}"]))
    data = read_json(path)
    return predicted_times(path)[1], data


def peak_lines(paths):
    """Lines of a description of the device that was measured: what its peaks are. The best of each over all files."""
    best, context = {}, {}
    for path in paths:
        data = read_json(path)
        context = context or (data.get("context") if isinstance(data.get("context"), dict) else {})
        for b in entries(data, "benchmarks", path):
            for name, prefix in PEAKS.items():
                value = b.get("GB/s", 0) * 1e9 if name == "bandwidth" else b.get("TFLOP/s", 0) * 1e12
                if b["name"].startswith("device_peaks/" + prefix) and value > best.get(name, 0):
                    best[name] = value
    lines = [f"{name} {value:.6g}" for name, value in best.items()]
    if "bandwidth" in best:
        lines.append(f"l2_bandwidth {1.05 * best['bandwidth']:.6g}")
    for name in ("compute_capability", "multiprocessors", "l2_bytes"):
        if name in context:
            lines.append(f"{name} {context[name]}")
    return str(context.get("gpu", "")), lines


def base_device(options, results, directory):
    """The device to start from: a name of the table or a file."""
    if options.device:
        return options.device
    gpu, lines = peak_lines(results)
    if not gpu:
        raise ValueError(f"{results[0]}: its context names no GPU; give one by --device")
    try:
        call([options.executable, "--suite=model", f"--predict={gpu}"])
        return gpu
    except ValueError:
        path = os.path.join(directory, "base.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([f"name {gpu}", "source measured", *lines]) + "\n")
        print(f"{gpu} is not in the table: its rates are those of the device_peaks", file=sys.stderr)
        return path


def rows_of(data, measured):
    """[(log of measured over predicted time, weight, {name: sensitivity})] of every backend at its best depth."""
    best = {}
    for p in data["predictions"]:
        key = (case_of(p["name"]), split(p["name"])["candidate"])
        if key not in best or p["seconds"] < best[key]["seconds"]:
            best[key] = p
    rows = []
    for (case, backend), p in best.items():
        if backend not in measured.get(case, {}):
            continue
        whole, _, seconds = measured[case][backend]
        fastest = min(t[2] for name, t in measured[case].items() if name != "auto")
        # Of kernels that take turns with others no time on the device is predicted.
        on_device = seconds != whole and p["device_seconds"] > 0.0
        seconds = seconds if on_device else whole
        error = math.log(seconds / p["device_seconds" if on_device else "seconds"])
        weight = max(FEW, fastest / seconds) * min(1.0, OUTLIER / abs(error) if error else 1.0)
        rows.append((error, weight, p.get("device_sensitivities" if on_device else "sensitivities", {})))
    return rows


def total_error(rows):
    return math.sqrt(sum(min(abs(e), OUTLIER) ** 2 for e, _, _ in rows) / len(rows))


def cost_of(rows, moved):
    """What the fit makes least."""
    weight = [(max(abs(e), 1e-12), w) for e, w, _ in rows]
    return (sum(w / min(1.0, OUTLIER / e) * min(e, OUTLIER) * e for e, w in weight) / NOISE ** 2
            + sum(m * m for m in moved.values()) / PRIOR ** 2)


def factor_of(matrix):
    """Cholesky's factor of a symmetric positive definite matrix, row by row."""
    factor = []
    for i, row in enumerate(matrix):
        new = []
        for j in range(i + 1):
            known = factor[j] if j < i else new
            rest = row[j] - sum(a * b for a, b in zip(new, known))
            new.append(math.sqrt(rest) if i == j else rest / known[j])
        factor.append(new)
    return factor


def forward(factor, vector, first=0):
    result = [0.0] * first
    for i in range(first, len(vector)):
        row = factor[i]
        result.append((vector[i] - sum(row[k] * result[k] for k in range(first, i))) / row[i])
    return result


def backward(factor, vector):
    result = list(vector)
    for i in reversed(range(len(vector))):
        result[i] /= factor[i][i]
        for k in range(i):
            result[k] -= factor[i][k] * result[i]
    return result


def equations(rows, names, moved):
    """Matrix and vector of the step for these values, in units of NOISE."""
    index = {name: i for i, name in enumerate(names)}
    matrix = [[0.0] * len(names) for _ in names]
    vector = [0.0] * len(names)
    for error, weight, sensitivities in rows:
        terms = [(index[name], s) for name, s in sensitivities.items() if name in index]
        for i, a in terms:
            vector[i] += weight * a * error
            for j, b in terms:
                matrix[i][j] += weight * a * b
    damping = (NOISE / PRIOR) ** 2
    for i, name in enumerate(names):
        matrix[i][i] += damping
        vector[i] -= damping * moved.get(name, 0.0)
    return matrix, vector


def determined(rows, least, keep=None):
    """Names of the values that the measurements determine, and how many cases each depends on; those to keep left out."""
    count = {}
    for _, _, sensitivities in rows:
        for name, s in sensitivities.items():
            count[name] = count.get(name, 0) + (abs(s) > 0.05)
    names = sorted(name for name, n in count.items() if n >= least and not (keep and re.search(keep, name)))
    matrix, _ = equations(rows, names, {})
    factor = factor_of(matrix)
    kept = []
    for i, name in enumerate(names):
        # The variance of a value is the square of a column of the inverse factor.
        column = forward(factor, [float(k == i) for k in range(len(names))], i)
        if sum(x * x for x in column) * (NOISE / PRIOR) ** 2 < 1.0 - DETERMINED:
            kept.append(name)
    return kept, count


def share(predicted, measured):
    """Part of the cases whose choice is within 5 % of the fastest, and the worst."""
    ratios = [r for *_, r in choices(predicted, measured, model=True)]
    return sum(r <= NEAR for r in ratios) / len(ratios), max(ratios)


def summary(title, predicted, measured, rows):
    good, worst = share(predicted, measured)
    middle = statistics.median(abs(e) for e, _, _ in rows)
    return f"{title:7} median error {middle:6.1%}, root mean square {total_error(rows):6.1%} (errors beyond " \
           f"{OUTLIER:.0%} count as that); choice within 5 % of the fastest in {good:.1%}, worst {worst:.2f}"


def fit(options, measured, device, directory):
    """(report as lines, {name: (before, after)} of what changed, text of the device)"""
    predicted, data = predict(options, device, directory)
    rows = rows_of(data, measured)
    if not rows:
        raise ValueError("no case was both measured and predicted; --suites names what was measured")
    first, text = data["efficiencies"], data["device_text"]
    names, count = determined(rows, options.least, options.keep)
    report = [f"{data['device']}: {len(rows)} times of {len(measured)} cases", summary("before:", predicted, measured, rows)]
    moved = dict.fromkeys(names, 0.0)
    cost = cost_of(rows, moved)
    for step in range(STEPS):
        matrix, vector = equations(rows, names, moved)
        factor = factor_of(matrix)
        changes = dict(zip(names, (max(-MOST, min(MOST, x)) for x in backward(factor, forward(factor, vector)))))
        better = None
        for part in (1.0, 0.5, 0.2):
            trial = {name: moved[name] + part * changes[name] for name in names}
            path = os.path.join(directory, "device.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
                for name in names:
                    file.write(f"efficiency {name} {first[name] * math.exp(trial[name]):.6g}\n")
            now_predicted, now_data = predict(options, path, directory)
            now_rows = rows_of(now_data, measured)
            if cost_of(now_rows, trial) < cost:
                better = (trial, now_predicted, now_rows, cost_of(now_rows, trial))
                break
        if better is None:
            break
        gained = cost - better[3]
        moved, predicted, rows, cost = better
        print(f"step {step + 1}: {total_error(rows):.2%}", file=sys.stderr)
        if gained < 1e-3 * cost:
            break
    report.append(summary("after:", predicted, measured, rows))
    fitted = {name: (first[name], float(f"{first[name] * math.exp(moved[name]):.4g}")) for name in names}
    report.append(f"\n{'value':66} {'before':>11} {'after':>11} {'change':>8} {'cases':>6}")
    for name in sorted(first):
        before, after = fitted.get(name, (first[name], None))
        new = f"{'not determined':>20}" if after is None else f"{after:11.4g} {after / before - 1:+8.1%}"
        report.append(f"{name:66} {before:11.4g} {new} {count.get(name, 0):6}")
    return report, fitted, text


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable")
    parser.add_argument("--measured", nargs="+", default=[], metavar="FILE")
    parser.add_argument("--device")
    parser.add_argument("--suites")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--least", type=int, default=3, help="cases that a value has to be seen in (3)")
    parser.add_argument("--keep", metavar="REGEX")
    parser.add_argument("--output")
    options = parser.parse_args(arguments)
    try:
        re.compile(options.keep or "")
    except re.error as error:
        parser.error(f"--keep: {error}")
    options.executable = os.path.abspath(options.executable)
    options.suites = options.suites or ("full,small,medium,domains,random,pitch" if options.measured
                                        else "full,small,random")

    with tempfile.TemporaryDirectory() as directory:
        results = options.measured
        if not results:
            results = [os.path.join(directory, "measured.json")]
            print("measuring; this takes some minutes", file=sys.stderr)
            call([options.executable, f"--suite={options.suites}", f"--benchmark_out={results[0]}",
                  f"--seed={options.seed}", f"--cases={options.cases}", "--samples=3", "--case_seconds=1"])
        measured = measured_times(results)
        report, fitted, text = fit(options, measured, base_device(options, results, directory), directory)
    print("\n".join(report))
    if options.output:
        lines = [line for line in text.splitlines() if line.split()[:1] != ["efficiency"] or line.split()[1] not in fitted]
        lines += [f"efficiency {name} {after:.6g}" for name, (before, after) in sorted(fitted.items())
                  if abs(after / before - 1.0) > 0.002 or f"efficiency {name} " in text]
        with open(options.output, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
