#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times Devito (https://www.devitoproject.org) on cases of KokkosStencil_benchmarks, on this machine's CPU.

    KokkosStencil_benchmarks --suite=cpu --benchmark_out=cpu.json
    bench_devito.py cpu.json --output cpu-devito.json
    compare_benchmarks.py --pair auto devito cpu-devito.json

Devito comes from PyPI ("pip install devito"); it compiles its loops with the compiler of the machine, in its default
mode (opt="advanced") and with OpenMP. Stars and boxes of the first file are timed with the same terms, coefficients,
type and number of threads, in arrays of the same extents whose outermost points are halo; the second file holds all of
the first one and the candidate "devito" beside it ("devito_autotuned" with --autotune, where Devito first tries sizes of
its blocks). A case of one sweep takes the mean of many sweeps, one after the other, from one of two fields into the other.
Results are compared with numpy at random points.

    --filter REGEX    only cases whose names match
    --samples N       timed samples of each case, of which the median counts (5)
    --seconds S       of a sample, about (0.1)
    --threads N       default: as many as the first file says ("concurrency")
    --compile         only compile, so that a later run finds Devito's cache filled (several of these may run at once)

The exit status is 1 if a result was wrong.
"""

import argparse
import itertools
import json
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_benchmarks import entries, read_json  # noqa: E402

NAME = re.compile(r"(star|box)-(\d)d(\d+)r/(float|double)/(\w+)/(\d+(?:x\d+)*)/steps:(\d+)$")
TOLERANCE = {"float": 2e-6, "double": 4e-15}


def terms_of(family, rank, radius):
    """Offsets and coefficients as perf_tests/harness/Kernel.cpp gives them: small integers over a power of two."""
    if family == "star":
        offsets = [(0,) * rank] + [tuple(d if b == a else 0 for b in range(rank)) for a in range(rank)
                                   for d in range(-radius, radius + 1) if d]
    else:
        offsets = list(itertools.product(range(-radius, radius + 1), repeat=rank))
    count, whole = len(offsets), 1
    while whole < 8 * count:
        whole *= 2
    weights = [whole // count - 3 + (5 * k + k // 7) % 6 for k in range(count)]
    for k in itertools.cycle(range(count)):
        total = sum(weights)
        if total == whole:
            break
        weights[k] += 1 if total < whole else -1
    return [(o, w / whole) for o, w in zip(offsets, weights)]


class Loop:
    """u(t + 1) = sum of coefficient * u(t, x + offset), in arrays of these extents, at the points inside the halo."""

    def __init__(self, family, rank, radius, value_type, extents):
        import numpy
        import devito

        self.numpy, self.terms, self.radius = numpy, terms_of(family, rank, radius), radius
        self.value_type = value_type
        self.inside = tuple(n - 2 * radius for n in extents)
        dtype = numpy.float32 if value_type == "float" else numpy.float64
        grid = devito.Grid(shape=self.inside, extent=tuple(n - 1.0 for n in self.inside), dtype=dtype)
        # As many points of halo as the stencil reads; Devito's own choice would be twice as many.
        self.field = devito.TimeFunction(name="u", grid=grid, time_order=1, space_order=(2 * radius, radius, radius))
        if self.field.data_with_halo.shape[1:] != extents:
            raise RuntimeError(f"Devito keeps {self.field.data_with_halo.shape[1:]} values for {extents}")
        total = 0
        for offset, coefficient in self.terms:
            value = self.field
            for d, o in zip(grid.dimensions, offset):
                if o:
                    value = value.subs(d, d + o * d.spacing)
            total += coefficient * value
        self.operator = devito.Operator(devito.Eq(self.field.forward, total), subs=grid.spacing_map)

    def compile(self):
        self.operator.cfunction  # noqa: B018

    def fill(self):
        chance = self.numpy.random.default_rng(7)
        block = chance.random(1 << 20, dtype=self.numpy.float32)
        # As plain arrays: an assignment to Devito's own goes through all points one by one.
        for field in self.field.data_with_halo.view(self.numpy.ndarray):
            field[...] = self.numpy.resize(block, field.shape)

    def worst_error(self):
        """Of one sweep, at a thousand points, over the largest input."""
        self.fill()
        before = self.field.data_with_halo.view(self.numpy.ndarray)[0].astype(self.numpy.float64)
        self.operator.apply(time_M=0)
        chance = self.numpy.random.default_rng(11)
        points = [chance.integers(0, n, 1000) for n in self.inside]
        right = sum(c * before[tuple(p + self.radius + o for p, o in zip(points, offset))] for offset, c in self.terms)
        found = self.field.data.view(self.numpy.ndarray)[1][tuple(points)]
        return float(abs(right - found).max() / abs(before).max())

    def seconds(self, sweeps, tune):
        tuned = {"autotune": ("aggressive", "preemptive")} if tune else {}
        summary = self.operator.apply(time_M=sweeps - 1, **tuned)
        return sum(entry.time for entry in summary.values())


def time_case(loop, steps, options):
    loop.fill()
    loop.seconds(2, options.autotune)
    once = max(1e-7, loop.seconds(10, False) / 10)
    sweeps = steps if steps > 1 else max(2, min(2000, round(options.seconds / once)))
    samples = [loop.seconds(sweeps, False) / sweeps * steps for _ in range(options.samples)]
    return statistics.median(samples), (max(samples) - min(samples)) / min(samples)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("result")
    parser.add_argument("--output")
    parser.add_argument("--filter", default="")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--autotune", action="store_true")
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args(arguments)
    try:
        data = read_json(options.result)
        measured = entries(data, "benchmarks", options.result)
        wanted = re.compile(options.filter)
    except (OSError, ValueError, re.error) as error:
        print(f"bench_devito.py: {error}", file=sys.stderr)
        return 2
    if not isinstance(data.get("context", {}), dict):
        print(f"bench_devito.py: {options.result}: the context is no dictionary", file=sys.stderr)
        return 2
    if options.output is None and not options.compile or options.samples < 1 or options.seconds <= 0:
        print("bench_devito.py: --output FILE, --samples 1 or more and --seconds beyond 0 are needed", file=sys.stderr)
        return 2
    threads = options.threads or int(data.get("context", {}).get("concurrency", os.cpu_count()))
    os.environ.update(DEVITO_LANGUAGE="openmp", DEVITO_LOGGING="ERROR", OMP_NUM_THREADS=str(threads))
    os.environ.setdefault("OMP_PROC_BIND", "close")
    os.environ.setdefault("OMP_PLACES", "cores")
    try:
        import devito
    except ImportError as error:
        print(f"bench_devito.py: {error}; \"pip install devito\" brings it", file=sys.stderr)
        return 2

    copies = [b["GB/s"] for b in measured if b["name"].startswith("device_peaks/copy") and "GB/s" in b]
    candidate = "devito_autotuned" if options.autotune else "devito"
    cases = {}
    for b in measured:
        match = NAME.match(b["name"])
        if match and wanted.search(b["name"]):
            cases.setdefault(match.group(1, 2, 3, 4, 6, 7), None)
    if not cases:
        print(f"bench_devito.py: {options.result} has no star and no box that matches", file=sys.stderr)
        return 2
    wrong, found = 0, []
    for family, rank, radius, value_type, extents, steps in cases:
        shape = tuple(int(n) for n in extents.split("x"))
        name = f"{family}-{rank}d{radius}r/{value_type}/{candidate}/{extents}/steps:{steps}"
        loop = Loop(family, int(rank), int(radius), value_type, shape)
        if options.compile:
            loop.compile()
            continue
        error = loop.worst_error()
        entry = {"name": name, "run_name": name, "run_type": "iteration", "time_unit": "us", "label": candidate}
        if not error <= TOLERANCE[value_type]:
            wrong += 1
            found.append({**entry, "error_occurred": True, "error_message": f"wrong by {error:.2g}"})
            print(f"{name}: wrong by {error:.2g}", flush=True)
            continue
        seconds, spread = time_case(loop, int(steps), options)
        points = float(int(steps))
        for n in loop.inside:
            points *= n
        size = 4 if value_type == "float" else 8
        entry.update({"real_time": 1e6 * seconds, "GStencil/s": points / seconds * 1e-9, "spread": spread,
                      "GB/s": 2 * size * points / seconds * 1e-9, "terms": len(loop.terms)})
        if copies:
            entry["copy_fraction"] = entry["GB/s"] / max(copies)
        found.append(entry)
        print(f"{name}: {1e6 * seconds:.1f} us, {entry['GStencil/s']:.3f} GStencil/s", flush=True)
    if not options.compile:
        data.setdefault("context", {})["devito"] = devito.__version__
        names = {entry["name"] for entry in found}
        data["benchmarks"] = [b for b in measured if b["name"] not in names] + found
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.write("\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
