#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two result files of KokkosStencil_benchmarks, or two candidates within one file.

    compare_benchmarks.py BASE.json HEAD.json
    compare_benchmarks.py --pair generic openmp_simd RESULT.json

Prints the ratio of every benchmark both have (above 1: HEAD, or the first of the pair, is faster), the
geometric mean and the worst case. The exit status is

    0  nothing is slower than the tolerances allow
    1  something is slower, or is an error in HEAD but not in BASE
    2  nothing to compare, or a file cannot be read

On two machines, compare fractions: --metric copy_fraction or --metric ceiling_fraction.
"""

import argparse
import json
import math
import os
import re
import sys

MOST_BYTES = 1 << 28
TEXTS = ("name", "case", "run_name", "run_type", "aggregate_name", "label", "error_message", "time_unit", "unit",
         "ceiling", "backend")
NUMBERS = ("GStencil/s", "GB/s", "TFLOP/s", "copy_fraction", "ceiling_fraction", "real_time", "plan_us", "device_us",
           "terms", "seconds", "depth", "fraction", "flop", "bytes", "model_flop", "model_bytes")


def read_json(path):
    """What a JSON file holds. ValueError if it is none; NaN, infinities and numbers beyond double are none either."""
    def number(text):
        value = float(text)
        if not math.isfinite(value):
            raise ValueError(f"the number {text[:20]} is not finite")
        return int(text) if text.lstrip("-").isdigit() and len(text) < 18 else value

    try:
        if not os.path.isfile(path) and os.path.exists(path):
            raise ValueError("no regular file")
        with open(path, encoding="utf-8") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise ValueError(f"longer than {MOST_BYTES} characters")
        return json.loads(text, parse_float=number, parse_int=number, parse_constant=number)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def entries(data, key, path, needed=("name",)):
    """The list of dictionaries that a result file has under a key. ValueError if they are not as they should be."""
    found = data.get(key) if isinstance(data, dict) else None
    if not isinstance(found, list):
        raise ValueError(f'{path}: no results under "{key}"')
    for entry in found:
        if not isinstance(entry, dict) or any(name not in entry for name in needed):
            raise ValueError(f"{path}: {str(entry)[:80]} lacks one of {', '.join(needed)}")
        for name, value in entry.items():
            if name in TEXTS and not isinstance(value, str) or name in NUMBERS and not (is_number(value) and value >= 0):
                raise ValueError(f'{path}: "{name}" is {str(value)[:80]}')
    return found


def positive(text):
    """For argparse: a number that a limit can be."""
    value = float(text)
    if not 0 < value <= 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 1e6")
    return value


def run(main):
    """The status of a script's main(), 2 where a file cannot be read, a file or the output not be written."""
    try:
        status = main()
        sys.stdout.flush()
        return status
    except (OSError, ValueError) as error:
        print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
        # Nothing more can be written there when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


def load(path):
    """{name: benchmark} of a result file; the median where there are repetitions."""
    results = {}
    for b in entries(read_json(path), "benchmarks", path):
        name = b.get("run_name", b["name"])
        if name.startswith("device_peaks/"):
            continue
        if b.get("run_type") == "aggregate":
            if b.get("aggregate_name") == "median":
                results[name] = b
        elif name not in results or results[name].get("run_type") != "aggregate":
            results[name] = b
    return results


def split(name):
    """The parts of <shape>/<type>/<candidate>/<extents>/steps:<n>[/accuracy:<level>][/faces:<rule>][/pitch:<n>]
    [/columns:<n>-<n>][/coefficients:<kind>][/check:<n>][/ranks:<n>[/cut:<n>x<n>]/<weak or strong>], or None."""
    parts = name.split("/")
    if len(parts) < 5 or not parts[4].startswith("steps:"):
        return None
    rest = dict(part.split(":", 1) for part in parts[5:] if ":" in part)
    scaling = [part for part in parts[5:] if part in ("weak", "strong")]
    if not all(e.isdigit() and 0 < int(e) for e in [*parts[3].split("x"), parts[4][len("steps:"):]]):
        raise ValueError(f"{name[:80]} is no name of a benchmark")
    return {
        "shape": parts[0],
        "type": parts[1],
        "candidate": parts[2],
        "extents": parts[3],
        "steps": int(parts[4][len("steps:"):]),
        "accuracy": rest.get("accuracy", "native"),
        "faces": rest.get("faces", "halo"),
        "rows": "/".join(f"{key}:{rest[key]}" for key in ("pitch", "columns", "coefficients") if key in rest),
        "ranks": int(rest.get("ranks", 1)),
        "cut": rest.get("cut", ""),
        "scaling": scaling[0] if scaling else "",
    }


def failed(benchmark):
    """The error of a benchmark; None if it has a result or could not run on this machine at all."""
    if not benchmark.get("error_occurred"):
        return None
    message = benchmark.get("error_message", "unknown error")
    return None if message.startswith("unavailable:") else message


def pair_up(results, first, second):
    """The same cases by two candidates, as (base, head) dictionaries; head is the first."""
    base, head = {}, {}
    for name, benchmark in results.items():
        parts = split(name)
        if parts is None:
            continue
        case = name.replace(f"/{parts['candidate']}/", "/*/", 1)
        if parts["candidate"] == first:
            head[case] = benchmark
        elif parts["candidate"] == second:
            base[case] = benchmark
    return base, head


def compare(base, head, metric, pattern=None):
    """Rows (name, base value, head value, ratio), new errors, and names only one side has."""
    rows, errors = [], []
    keep = re.compile(pattern) if pattern else None
    names = [n for n in head if keep is None or keep.search(n)]
    for name in names:
        message = failed(head[name])
        if message is not None:
            if name not in base or failed(base[name]) is None:
                errors.append((name, message))
            continue
        if name not in base:
            continue
        before, after = base[name].get(metric), head[name].get(metric)
        if is_number(before) and is_number(after) and before > 0 and after > 0:
            rows.append((name, before, after, after / before))
    missing = [n for n in base if n not in head and (keep is None or keep.search(n))]
    return rows, errors, missing


def geometric_mean(ratios):
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios))


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="BASE.json HEAD.json, or one file with --pair")
    parser.add_argument("--pair", nargs=2, metavar=("A", "B"), help="compare candidate A with candidate B in one file")
    parser.add_argument("--metric", default="GStencil/s", help="counter to compare, higher is better (GStencil/s)")
    parser.add_argument("--filter", metavar="REGEX", help="only benchmarks whose name matches")
    parser.add_argument("--worst", type=positive, default=0.95, metavar="RATIO", help="least ratio of any benchmark (0.95)")
    parser.add_argument("--mean", type=positive, default=0.98, metavar="RATIO", help="least geometric mean (0.98)")
    parser.add_argument("--brief", action="store_true", help="print only what is slower, the mean and the worst")
    arguments = parser.parse_args(argv)
    if len(arguments.files) != (1 if arguments.pair else 2):
        parser.error("expected one file with --pair, two without")
    try:
        re.compile(arguments.filter or "")
    except re.error as error:
        parser.error(f"--filter: {error}")
    loaded = [load(f) for f in arguments.files]
    base, head = pair_up(loaded[0], *arguments.pair) if arguments.pair else loaded
    rows, errors, missing = compare(base, head, arguments.metric, arguments.filter)

    width = max([len(r[0]) for r in rows], default=9)
    titles = arguments.pair[::-1] if arguments.pair else ("base", "head")
    if rows:
        print(f"{'benchmark':<{width}}  {titles[0]:>12}  {titles[1]:>12}   ratio   ({arguments.metric})")
    for name, before, after, ratio in sorted(rows, key=lambda r: r[3]):
        if not arguments.brief or ratio < arguments.worst:
            print(f"{name:<{width}}  {before:>12.4g}  {after:>12.4g}  {ratio:>6.3f}")
    for name, message in errors:
        print(f"error: {name}: {message}")
    if missing:
        print(f"{len(missing)} benchmarks of the base are missing, the first is {missing[0]}")
    if not rows and not errors:
        print("nothing to compare", file=sys.stderr)
        return 2
    status = 1 if errors else 0
    if rows:
        mean = geometric_mean([r[3] for r in rows])
        worst = min(rows, key=lambda r: r[3])
        print(f"{len(rows)} benchmarks, geometric mean {mean:.3f}, worst {worst[3]:.3f} ({worst[0]})")
        if mean < arguments.mean or worst[3] < arguments.worst:
            print(f"too slow: at least {arguments.mean} and {arguments.worst} are asked for")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(run(main))
