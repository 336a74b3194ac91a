#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a result file of KokkosStencil_benchmarks:

    bars-<type>.png       one sweep, library against rivals and the ceiling
    sweeps.png            many sweeps
    trend.png             speed against problem size
    roofline-<type>.png   every case on the roofline of its type
    catalogue.png         the kernels of the catalogue, as fractions of their ceilings
    domains-<type>.png    the kernels of the catalogue by domain, library against rivals
    breakdown.png         from CUDA cores to sparse tensor cores over problem sizes, and what a plan costs

    plot_benchmarks.py RESULT.json [RESULT.json ...] --output DIRECTORY

Several files are taken as one result. Needs matplotlib.
"""

import argparse
import math
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_benchmarks import entries, read_json, run, split  # noqa: E402

ORDER = ["kokkos_mdrange_default", "kokkos_mdrange_best", "openmp_simd", "cudnn", "generic", "cuda_direct",
         "cuda_temporal", "cuda_tensor", "cuda_sparse_table", "cuda_sparse_tensor", "cuda_tensor_float",
         "cuda_tensor_double", "auto"]
COLOURS = {
    "kokkos_mdrange_default": "#c9c9c9", "kokkos_mdrange_best": "#8f8f8f", "openmp_simd": "#b58b5a",
    "cudnn": "#d9a441", "generic": "#6baed6", "cuda_direct": "#2171b5", "cuda_temporal": "#238b45",
    "cuda_tensor": "#9e6ebd", "cuda_sparse_tensor": "#c0392b", "cuda_tensor_float": "#e377a2",
    "cuda_tensor_double": "#8c564b", "cuda_sparse_table": "#e67e22", "auto": "#222222",
}
BYTES = {"half": 2, "bhalf": 2, "float": 4, "double": 8}
SHAPE = re.compile(r"^(star|box|box17)-[123]d\d+r$")


def load(paths):
    """The context of the first file, the peaks, and the results as dictionaries."""
    context, peaks, results = None, {}, []
    for path in paths:
        data = read_json(path)
        benchmarks = entries(data, "benchmarks", path)
        found = data.get("context")
        context = context or {key: str(value) for key, value in (found if isinstance(found, dict) else {}).items()}
        for b in benchmarks:
            name = b.get("run_name", b["name"])
            if name.startswith("device_peaks/"):
                if "GB/s" in b:
                    peaks[name[len("device_peaks/"):]] = b["GB/s"] * 1e9
                elif "TFLOP/s" in b:
                    peaks[name[len("device_peaks/"):]] = b["TFLOP/s"] * 1e12
                continue
            parts = split(name)
            if parts is None or b.get("error_occurred") or "GStencil/s" not in b:
                continue
            parts["rate"] = b["GStencil/s"]
            parts["ceiling"] = b["GStencil/s"] / b["ceiling_fraction"] if b.get("ceiling_fraction") else None
            parts["copy"] = b["GB/s"] / b["copy_fraction"] if b.get("copy_fraction") else None
            parts["ceiling_fraction"] = b.get("ceiling_fraction")
            parts["terms"] = b.get("terms")
            parts["label"] = b.get("label", "")
            parts["plan"] = b.get("plan_us")
            parts["points"] = points(parts["extents"])
            results.append(parts)
    return context, peaks, results


def points(extents):
    n = 1
    for e in extents.split("x"):
        n *= int(e)
    return n


def one_size(results):
    """Of each shape, type, number of steps and candidate the result on the largest grid."""
    largest = {}
    for r in results:
        key = (r["shape"], r["type"], r["steps"], r["accuracy"], r["faces"], r["candidate"])
        if key not in largest or r["points"] > largest[key]["points"]:
            largest[key] = r
    return list(largest.values())


def shape_key(shape):
    family, rest = shape.split("-", 1)
    return (rest[0], family != "star", rest)


def grouped(results):
    """[(case label, {candidate: result})], ordered by shape."""
    groups = {}
    for r in results:
        label = r["shape"] + (f"\n{r['steps']} steps" if r["steps"] > 1 else "")
        label += "\nrelaxed" if r["accuracy"] != "native" else ""
        label += "\nperiodic" if r["faces"] != "halo" else ""
        groups.setdefault((shape_key(r["shape"]), r["steps"], label), {})[r["candidate"]] = r
    return [(key[2], groups[key]) for key in sorted(groups)]


def machine(context):
    return context.get("gpu") or f"{context.get('cpu', 'CPU')}, {context.get('space', '')}"


GROUPS_A_ROW = 6


def draw_bars(plt, groups, title, path, log=False):
    names = [c for c in ORDER if any(c in g for _, g in groups)]
    names += sorted({c for _, g in groups for c in g} - set(names))
    rows = [groups[i:i + GROUPS_A_ROW] for i in range(0, len(groups), GROUPS_A_ROW)]
    across = max(len(row) for row in rows)
    figure, all_axes = plt.subplots(len(rows), 1, squeeze=False, sharey=True,
                                    figsize=(max(6.0, 0.17 * across * len(names) + 3.0), 3.2 * len(rows) + 0.8))
    width = 0.84 / len(names)
    for axes, row in zip(all_axes[:, 0], rows):
        for k, name in enumerate(names):
            xs = [i - 0.42 + (k + 0.5) * width for i, (_, g) in enumerate(row) if name in g]
            ys = [g[name]["rate"] for _, g in row if name in g]
            axes.bar(xs, ys, width, label=name, color=COLOURS.get(name))
        for i, (_, g) in enumerate(row):
            ceilings = [r["ceiling"] for r in g.values() if r["ceiling"]]
            if ceilings:
                axes.plot([i - 0.45, i + 0.45], [max(ceilings)] * 2, color="black", linewidth=1.2, linestyle="--",
                          label="ceiling" if i == 0 else None)
        axes.set_xlim(-0.5, across - 0.5)
        axes.set_xticks(range(len(row)))
        axes.set_xticklabels([label for label, _ in row], fontsize=8)
        axes.set_ylabel("GStencil/s")
        if log:
            axes.set_yscale("log")
        axes.grid(axis="y", alpha=0.3)
    all_axes[0, 0].set_title(title)
    all_axes[0, 0].legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def plot_bars(plt, context, results, directory):
    made = []
    shapes = [r for r in one_size(results) if SHAPE.match(r["shape"])]
    for value_type in BYTES:
        groups = grouped([r for r in shapes if r["type"] == value_type and r["steps"] == 1])
        if groups:
            path = os.path.join(directory, f"bars-{value_type}.png")
            draw_bars(plt, groups, f"One sweep, {value_type}, {machine(context)}", path, log=True)
            made.append(path)
    groups = []
    for value_type in BYTES:
        many = [r for r in shapes if r["type"] == value_type and r["steps"] > 1]
        groups += [(f"{label}\n{value_type}", g) for label, g in grouped(many)]
    if groups:
        path = os.path.join(directory, "sweeps.png")
        draw_bars(plt, groups, f"Many sweeps, {machine(context)}", path, log=True)
        made.append(path)
    return made


def plot_trend(plt, context, results, directory):
    lines = {}
    for r in results:
        if SHAPE.match(r["shape"]):
            lines.setdefault((r["shape"], r["type"], r["steps"]), {}).setdefault(r["candidate"], {})[r["points"]] = r
    lines = {k: v for k, v in lines.items() if max(len(c) for c in v.values()) >= 4}
    if not lines:
        return []
    columns = min(3, len(lines))
    rows = (len(lines) + columns - 1) // columns
    figure, grid = plt.subplots(rows, columns, figsize=(4.6 * columns, 3.4 * rows), squeeze=False)
    for axes in grid.flat[len(lines):]:
        axes.axis("off")
    for axes, (key, candidates) in zip(grid.flat, sorted(lines.items())):
        shape, value_type, steps = key
        for name in sorted(candidates, key=lambda n: ORDER.index(n) if n in ORDER else 99):
            series = [candidates[name][n] for n in sorted(candidates[name])]
            axes.plot([r["points"] for r in series], [r["rate"] for r in series], marker="o", markersize=3,
                      label=name, color=COLOURS.get(name), linestyle="--" if name == "auto" else "-")
        copies = [r["copy"] for c in candidates.values() for r in c.values() if r["copy"]]
        if copies and steps == 1:
            axes.axhline(sorted(copies)[len(copies) // 2] / (2 * BYTES[value_type]), color="black", linewidth=0.8,
                         linestyle=":", label="copy")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_title(f"{shape}, {value_type}" + (f", {steps} steps" if steps > 1 else ""), fontsize=10)
        axes.set_xlabel("grid points")
        axes.set_ylabel("GStencil/s")
        axes.legend(fontsize=6)
        axes.grid(alpha=0.3)
    figure.suptitle(f"Speed against problem size, {machine(context)}")
    figure.tight_layout(rect=(0, 0, 1, 0.99))
    path = os.path.join(directory, "trend.png")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return [path]


def roofs(peaks, value_type):
    """(name, FLOP/s) of the units that compute this type."""
    units = {
        "half": ["fma/float", "mma/f16", "mma_sp/f16"], "bhalf": ["fma/float", "mma/bf16", "mma_sp/bf16"],
        "float": ["fma/float", "mma/tf32", "mma_sp/tf32"], "double": ["fma/double", "mma/f64"],
    }[value_type]
    found = []
    for unit in units:
        rates = [v for name, v in peaks.items() if name.startswith(unit)]
        if rates:
            found.append((unit, max(rates)))
    return found


def plot_roofline(plt, context, peaks, results, directory):
    """Arithmetic counted as two operations a term, traffic as one read and one write a run."""
    made = []
    copies = [v for name, v in peaks.items() if name.startswith("copy/")]
    for value_type, size in BYTES.items():
        cases = [r for r in one_size(results) if r["type"] == value_type and r["terms"]]
        tops = roofs(peaks, value_type)
        if not cases or not tops or not copies:
            continue
        bandwidth = max(copies)
        figure, axes = plt.subplots(figsize=(8, 5))
        intensities = [2 * r["terms"] * r["steps"] / (2 * size) for r in cases]
        low, high = min(intensities) / 2, max(max(intensities) * 2, 2 * max(t for _, t in tops) / bandwidth)
        for unit, rate in tops:
            ridge = rate / bandwidth
            axes.plot([low, ridge, high], [low * bandwidth / 1e12, rate / 1e12, rate / 1e12], color="black",
                      linewidth=1)
            axes.annotate(f"{unit} {rate / 1e12:.3g} TFLOP/s", (high, rate / 1e12), fontsize=7, ha="right",
                          va="bottom")
        seen = set()
        for r, x in zip(cases, intensities):
            name = r["candidate"]
            marker = "o" if SHAPE.match(r["shape"]) else "."
            axes.plot([x], [2 * r["terms"] * r["rate"] / 1e3], marker=marker, markersize=5, linestyle="",
                      color=COLOURS.get(name, "#555555"), label=None if name in seen else name, alpha=0.8)
            seen.add(name)
        for label, group in grouped([r for r in cases if SHAPE.match(r["shape"])]):
            best = max(group.values(), key=lambda r: r["rate"])
            axes.annotate(label.replace("\n", " "),
                          (best["terms"] * best["steps"] / size, 2 * best["terms"] * best["rate"] / 1e3), fontsize=5,
                          xytext=(2, 3), textcoords="offset points", rotation=30)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("FLOP a byte (two a term; one read and one write of the grid)")
        axes.set_ylabel("TFLOP/s")
        axes.set_title(f"Roofline, {value_type}, {machine(context)}, copy {bandwidth / 1e12:.3g} TB/s")
        axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        axes.grid(alpha=0.3, which="both")
        figure.tight_layout()
        path = os.path.join(directory, f"roofline-{value_type}.png")
        figure.savefig(path, dpi=120)
        plt.close(figure)
        made.append(path)
    return made


def plot_catalogue(plt, context, results, directory):
    # The rivals have pictures of their own, by domain.
    kernels = [r for r in one_size(results) if not SHAPE.match(r["shape"]) and r["ceiling_fraction"]
               and r["candidate"] not in ("cudnn", "kokkos_mdrange_best")]
    names = [c for c in ORDER if any(r["candidate"] == c for r in kernels)]
    if not kernels:
        return []
    shapes = sorted({r["shape"] for r in kernels}, key=lambda s: max(r["terms"] for r in kernels if r["shape"] == s))
    types = [t for t in BYTES if any(r["type"] == t for r in kernels)]
    figure, all_axes = plt.subplots(len(types), 1, squeeze=False, sharex=True,
                                    figsize=(max(8.0, 0.11 * len(shapes) + 2), 3.2 * len(types) + 1.6))
    for axes, value_type in zip(all_axes[:, 0], types):
        for name in names:
            fractions = {r["shape"]: r["ceiling_fraction"] for r in kernels
                         if r["candidate"] == name and r["type"] == value_type}
            xs = [i for i, s in enumerate(shapes) if s in fractions]
            if xs:
                axes.plot(xs, [fractions[shapes[i]] for i in xs], marker="o", markersize=3, linestyle="", label=name,
                          color=COLOURS.get(name))
        axes.set_ylabel(f"fraction of the ceiling, {value_type}")
        axes.set_ylim(bottom=0)
        axes.legend(fontsize=8)
        axes.grid(axis="y", alpha=0.3)
    all_axes[-1, 0].set_xticks(range(len(shapes)))
    all_axes[-1, 0].set_xticklabels(shapes, rotation=90, fontsize=4)
    all_axes[0, 0].set_title(f"The {len(shapes)} kernels of the catalogue, {machine(context)}")
    figure.tight_layout()
    path = os.path.join(directory, "catalogue.png")
    figure.savefig(path, dpi=140)
    plt.close(figure)
    return [path]


def domains_of_kernels():
    """{kernel: domain} of the catalogue, in its order."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "perf_tests", "catalogue", "kernels.txt")
    found, name = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            word, _, rest = line.strip().partition(" ")
            if word == "kernel":
                name = rest
            elif word == "domain":
                found[name] = rest
    return found


def mean_ratio(groups, name, rival):
    """Geometric mean and least of the speed of a candidate over a rival's; None where they never meet."""
    ratios = [g[name]["rate"] / g[rival]["rate"] for g in groups if name in g and rival in g]
    if not ratios:
        return None
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios)), min(ratios)


def plot_domains(plt, context, results, directory):
    domains, made = domains_of_kernels(), []
    rivals = {"cudnn": "cuDNN", "kokkos_mdrange_best": "Kokkos"}
    for value_type in BYTES:
        groups = {}
        for r in results:
            if r["type"] == value_type and r["shape"] in domains and r["steps"] == 1:
                groups.setdefault((r["shape"], r["extents"]), {})[r["candidate"]] = r
        groups = {key: g for key, g in groups.items() if "auto" in g and any(c in g for c in rivals)}
        if not groups:
            continue
        order = list(dict.fromkeys(domains.values()))
        keys = sorted(groups, key=lambda k: (order.index(domains[k[0]]), groups[k]["auto"]["terms"]))
        rows = [keys[:(len(keys) + 1) // 2], keys[(len(keys) + 1) // 2:]]
        figure, all_axes = plt.subplots(2, 1, figsize=(18, 10), sharey=True)
        for axes, row in zip(all_axes, rows):
            for k, name in enumerate(["cudnn", "kokkos_mdrange_best", "auto"]):
                xs = [i for i, key in enumerate(row) if name in groups[key]]
                axes.bar([x + 0.28 * (k - 1) for x in xs], [groups[row[x]][name]["rate"] for x in xs], 0.28,
                         label={"auto": "KokkosStencil"}.get(name, name), color=COLOURS[name])
            axes.set_yscale("log")
            axes.set_ylabel("GStencil/s")
            axes.set_xlim(-0.6, len(row) - 0.4)
            axes.set_xticks(range(len(row)))
            axes.set_xticklabels([key[0] for key in row], rotation=90, fontsize=7)
            axes.grid(axis="y", alpha=0.3)
            for domain in dict.fromkeys(domains[key[0]] for key in row):
                here = [i for i, key in enumerate(row) if domains[key[0]] == domain]
                means = [(short, mean_ratio([groups[key] for key in keys if domains[key[0]] == domain], "auto", rival))
                         for rival, short in rivals.items()]
                text = ", ".join(f"{m[0]:.1f} x {short}" for short, m in means if m)
                axes.text((here[0] + here[-1]) / 2, 1.01, domain + "\n" + text, transform=axes.get_xaxis_transform(),
                          ha="center", va="bottom", fontsize=7)
                axes.axvline(here[-1] + 0.5, color="black", linewidth=0.6)
        all_axes[0].legend(fontsize=8, loc="lower left")
        means = [(short, mean_ratio(groups.values(), "auto", rival)) for rival, short in rivals.items()]
        text = ", ".join(f"{m[0]:.1f} times {short} (least {m[1]:.2f})" for short, m in means if m)
        figure.suptitle(f"The catalogue in {value_type}, {machine(context)}. Geometric mean: {text}", y=0.995)
        figure.tight_layout()
        path = os.path.join(directory, f"domains-{value_type}.png")
        figure.savefig(path, dpi=100)
        plt.close(figure)
        made.append(path)
    return made


def plot_breakdown(plt, context, results, directory):
    """SparStencil's figures 7 and 8: what each unit gains, and what the preparation costs."""
    stages = ["kokkos_mdrange_best", "cuda_direct", "cuda_tensor", "cuda_sparse_table", "cuda_sparse_tensor"]
    found = {}
    for r in results:
        if r["shape"] == "box-2d3r" and r["type"] == "half" and r["steps"] == 1:
            found.setdefault(r["points"], {})[r["candidate"]] = r
    sizes = [n for n in sorted(found) if "cuda_sparse_tensor" in found[n] and found[n]["cuda_sparse_tensor"]["plan"]]
    if len(sizes) < 3:
        return []
    stages = [s for s in stages if any(s in found[n] for n in sizes)]
    figure, (left, right) = plt.subplots(1, 2, figsize=(14, 4.6))
    width = 0.84 / len(stages)
    labels = [found[n]["auto"]["extents"].split("x")[0] for n in sizes]
    for k, stage in enumerate(stages):
        xs = [i for i, n in enumerate(sizes) if stage in found[n] and "kokkos_mdrange_best" in found[n]]
        ys = [found[sizes[i]][stage]["rate"] / found[sizes[i]]["kokkos_mdrange_best"]["rate"] for i in xs]
        left.bar([i - 0.42 + (k + 0.5) * width for i in xs], ys, width, label=stage, color=COLOURS.get(stage))
    left.set_yscale("log")
    left.set_ylabel("speed over MDRangePolicy with its best tile")
    left.legend(fontsize=8)
    for sweeps in (1, 10, 100, 1000):
        share = []
        for n in sizes:
            r = found[n]["cuda_sparse_tensor"]
            radius = 3
            edge = [int(e) - 2 * radius for e in r["extents"].split("x")]
            run = edge[0] * edge[1] / r["rate"] * 1e-3 * sweeps
            share.append(100 * r["plan"] / (r["plan"] + run))
        right.plot(range(len(sizes)), share, marker="o", label=f"{sweeps} sweep" + ("s" if sweeps > 1 else ""))
    right.set_yscale("log")
    right.set_ylabel("preparing the plan, % of plan and sweeps")
    right.legend(fontsize=8)
    for axes in (left, right):
        axes.set_xticks(range(len(sizes)))
        axes.set_xticklabels(labels)
        axes.set_xlabel("points along an edge")
        axes.grid(axis="y", alpha=0.3)
    figure.suptitle(f"Box-2D49P in half, {machine(context)}")
    figure.tight_layout()
    path = os.path.join(directory, "breakdown.png")
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return [path]


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="RESULT.json")
    parser.add_argument("--output", default=".", metavar="DIRECTORY", help="where the pictures go (here)")
    arguments = parser.parse_args(argv)
    try:
        import matplotlib
    except ImportError:
        print("plot_benchmarks.py: matplotlib is missing (Debian: apt install python3-matplotlib)", file=sys.stderr)
        return 3
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    context, peaks, results = load(arguments.files)
    if not results:
        print("plot_benchmarks.py: no results in " + ", ".join(arguments.files), file=sys.stderr)
        return 2
    os.makedirs(arguments.output, exist_ok=True)
    made = plot_bars(plt, context, results, arguments.output)
    made += plot_trend(plt, context, results, arguments.output)
    made += plot_roofline(plt, context, peaks, results, arguments.output)
    made += plot_catalogue(plt, context, results, arguments.output)
    made += plot_domains(plt, context, results, arguments.output)
    made += plot_breakdown(plt, context, results, arguments.output)
    for path in made:
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
