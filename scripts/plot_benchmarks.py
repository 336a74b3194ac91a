#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a result file of KokkosStencil_benchmarks, one for each question:

    rivals.png              how many times as fast as the best rival, by case
    rivals-catalogue.png    the same for the kernels of the catalogue, by domain
    ceilings.png            what fraction of its ceiling each case reaches
    ceilings-catalogue.png  the same for the kernels of the catalogue, by domain
    sizes.png               speed against problem size
    scaling.png             many processes against one, by engine (from KokkosStencil_scaling)
    breakdown.png           from CUDA cores to sparse tensor cores over problem sizes, and what a plan costs

    plot_benchmarks.py RESULT.json [RESULT.json ...] --output DIRECTORY

Several files are taken as one result. A picture whose cases were not measured is left out. Needs matplotlib.
"""

import argparse
import math
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_benchmarks import entries, read_json, run, split  # noqa: E402

RIVALS = {"kokkos_mdrange_default": "Kokkos MDRange", "kokkos_mdrange_best": "Kokkos MDRange, best tile",
          "openmp_simd": "hand-written loop", "cudnn": "cuDNN"}
MARKERS = {"kokkos_mdrange_default": "^", "kokkos_mdrange_best": "o", "openmp_simd": "D", "cudnn": "s"}
STAGES = {"kokkos_mdrange_best": "#8f8f8f", "cuda_direct": "#2171b5", "cuda_tensor": "#9e6ebd",
          "cuda_sparse_table": "#e67e22", "cuda_sparse_tensor": "#c0392b"}
ENGINES = {"peer": ("o", "#c0392b", "engine peer"), "nccl": ("s", "#2171b5", "engine nccl"),
           "mpi": ("D", "#1b8a5a", "engine mpi"), "by_hand": ("^", "#8f8f8f", "by hand, an exchange a sweep")}
TYPES = {"half": "#d95f02", "float": "#1f6fb4", "double": "#1b8a5a"}  # bhalf goes by the kernels of half
BYTES = {"half": 2, "bhalf": 2, "float": 4, "double": 8}
PAGE, DPI = 9.0, 110  # inches; 990 pixels, which a page shows at some 80 %
SHAPE = re.compile(r"^(star|box|box17)-[123]d\d+r$")


def load(paths):
    """The context of the first file that has one, and the results as dictionaries."""
    context, results = {}, []
    for path in paths:
        data = read_json(path)
        benchmarks = entries(data, "benchmarks", path)
        found = data.get("context")
        context = context or {key: str(value) for key, value in (found if isinstance(found, dict) else {}).items()}
        for b in benchmarks:
            name = b.get("run_name", b["name"])
            parts = None if name.startswith("device_peaks/") else split(name)
            if parts is None or b.get("error_occurred") or not b.get("GStencil/s"):
                continue
            parts["rate"] = b["GStencil/s"]
            parts["copy"] = b["GB/s"] / b["copy_fraction"] if b.get("GB/s") and b.get("copy_fraction") else None
            parts["ceiling_fraction"] = b.get("ceiling_fraction")
            parts["plan"] = b.get("plan_us")
            parts["points"] = points(parts["extents"])
            results.append(parts)
    return context, results


def points(extents):
    n = 1
    for e in extents.split("x"):
        n *= int(e)
    return n


def machine(context):
    return context.get("gpu") or f"{context.get('cpu', 'CPU')}, {context.get('space', '')}"


def case_of(r):
    """What names a case on an axis, in the order of the axis: rank, shape, sweeps."""
    family, rest = r["shape"].split("-", 1)
    rank, radius = rest[0], rest[2:-1]
    return (rank, family != "star", family, int(radius), r["steps"])


def case_label(case):
    rank, _, family, radius, steps = case
    return f"{rank}-D {family}, r {radius}" + (f", {steps} sweeps" if steps > 1 else "")


def best_rival(group):
    """The fastest rival of a case, or None."""
    rivals = [r for name, r in group.items() if name in RIVALS]
    return max(rivals, key=lambda r: r["rate"]) if rivals else None


def compared(results):
    """[(result of auto, result of the best rival)] of all cases that have both."""
    groups = {}
    for r in results:
        key = tuple(r[k] for k in ("shape", "type", "steps", "accuracy", "faces", "rows", "extents"))
        groups.setdefault(key, {})[r["candidate"]] = r
    pairs = [(g["auto"], best_rival(g)) for g in groups.values() if "auto" in g and best_rival(g)]
    return [(a, b) for a, b in pairs if a["rate"] > 0 and b["rate"] > 0]


def largest(pairs, key):
    """Of each case and type the pair on the largest grid."""
    found = {}
    for pair in pairs:
        name = (key(pair[0]), pair[0]["type"])
        if name not in found or pair[0]["points"] > found[name][0]["points"]:
            found[name] = pair
    return list(found.values())


def summary(values, unit):
    mean = math.exp(sum(math.log(v) for v in values) / len(values))
    return f"geometric mean {mean:.2f}{unit}, least {min(values):.2f}{unit}"


STEPS = [digit * 10**power for power in range(-3, 6) for digit in (1, 2, 5)]


def ticks(axis, low, high):
    """Plain numbers on a logarithmic axis of matplotlib."""
    shown = [t for t in STEPS if low <= t <= high]
    axis.set_ticks(shown, [f"{t:g}" for t in shown])
    axis.set_ticks([], minor=True)


def axis_of_ratios(axes, values):
    low, high = min(0.93 * min(values), 0.9), max(values) * 1.15
    axes.set_xscale("log")
    ticks(axes.xaxis, low, high)
    axes.set_xlim(low, high)
    axes.axvline(1.0, color="black", linewidth=1.0)
    axes.set_xlabel("times the speed of the best rival")


def axis_of_fractions(axes, values):
    axes.set_xlim(0.0, max(1.05, max(values) + 0.03))
    axes.axvline(1.0, color="black", linewidth=1.0)
    axes.set_xlabel("fraction of the ceiling")


def finish(plt, figure, title, handles, path):
    figure.suptitle(title, fontsize=12)
    wide = sum(10 + len(h.get_label()) for h in handles) > 150
    columns = math.ceil(len(handles) / 2) if wide else len(handles)
    figure.legend(handles=handles, loc="lower center", ncol=columns, frameon=False, fontsize=10)
    lines = math.ceil(len(handles) / columns)
    figure.tight_layout(rect=(0, (0.1 + 0.24 * lines) / figure.get_figheight(), 1, 1))
    figure.savefig(path, dpi=DPI)
    plt.close(figure)
    return [path]


def type_handles(plt, types):
    return [plt.Line2D([], [], marker="o", linestyle="", color=TYPES[t], label=t) for t in TYPES if t in types]


def draw_cases(plt, points, title, path, axis, marker):
    """Rows of dots, a row a case, one sweep at the left and many at the right. points: [(result, value, rival)]."""
    columns = [c for c in ([p for p in points if p[0]["steps"] == 1], [p for p in points if p[0]["steps"] > 1]) if c]
    rows = max(len({case_of(p[0]) for p in c}) for c in columns)
    figure, all_axes = plt.subplots(1, len(columns), squeeze=False, figsize=(PAGE, 0.27 * rows + 1.9))
    for axes, column in zip(all_axes[0], columns):
        cases = sorted({case_of(p[0]) for p in column})
        for row, case in enumerate(cases):
            if row and case[0] != cases[row - 1][0]:
                axes.axhline(row - 0.5, color="#999999", linewidth=0.8)
            for r, value, rival in column:
                if case_of(r) == case:
                    shift = 0.2 * (list(TYPES).index(r["type"]) - 1)
                    axes.plot([value], [row + shift], marker=marker(rival), markersize=6, color=TYPES[r["type"]])
        axis(axes, [p[1] for p in points])
        axes.set_yticks(range(len(cases)), [case_label(c) for c in cases], fontsize=10)
        axes.set_ylim(len(cases) - 0.5, -0.5)
        axes.grid(axis="both", alpha=0.25)
        axes.set_title("one sweep" if column[0][0]["steps"] == 1 else "many sweeps", fontsize=11)
    handles = type_handles(plt, {p[0]["type"] for p in points})
    names = {p[2] for p in points if p[2]}
    if len(names) > 1:
        handles += [plt.Line2D([], [], marker=MARKERS[n], linestyle="", color="#555555", label="rival: " + RIVALS[n])
                    for n in RIVALS if n in names]
    return finish(plt, figure, title, handles, path)


def shapes_of(results):
    return [r for r in results if SHAPE.match(r["shape"]) and r["type"] in TYPES and r["accuracy"] == "native"
            and r["faces"] == "halo"]


def plot_rivals(plt, context, results, directory):
    pairs = largest(compared(shapes_of(results)), case_of)
    if not pairs:
        return []
    points = [(a, a["rate"] / b["rate"], b["candidate"]) for a, b in pairs]
    title = f"The library over the best rival, largest grids, {machine(context)}\n{summary([p[1] for p in points], '')}"
    return draw_cases(plt, points, title, os.path.join(directory, "rivals.png"), axis_of_ratios,
                      lambda rival: MARKERS[rival])


def plot_ceilings(plt, context, results, directory):
    ours = [(r, None) for r in shapes_of(results) if r["candidate"] == "auto" and r["ceiling_fraction"]]
    points = [(r, r["ceiling_fraction"], None) for r, _ in largest(ours, case_of)]
    if not points:
        return []
    title = f"Speed over the ceiling of the unit that computes, largest grids, {machine(context)}"
    return draw_cases(plt, points, title, os.path.join(directory, "ceilings.png"), axis_of_fractions, lambda _: "o")


def draw_domains(plt, points, title, path, axis):
    """A strip of dots for each domain and type, a dot a kernel, with their median. points: [(result, value)]."""
    domains = domains_of_kernels()
    order = [d for d in dict.fromkeys(domains.values()) if any(domains[r["shape"]] == d for r, _ in points)]
    types = [t for t in TYPES if any(r["type"] == t for r, _ in points)]
    figure, axes = plt.subplots(figsize=(PAGE, 0.62 * len(order) + 1.8))
    for row, domain in enumerate(order):
        for k, value_type in enumerate(types):
            values = sorted(v for r, v in points if r["type"] == value_type and domains[r["shape"]] == domain)
            y = row + 0.27 * (k - (len(types) - 1) / 2)
            axes.plot(values, [y] * len(values), marker="o", markersize=5, linestyle="", color=TYPES[value_type],
                      alpha=0.45, markeredgewidth=0)
            if values:
                axes.plot([statistics.median(values)] * 2, [y - 0.12, y + 0.12], color="black", linewidth=2.0)
        if row:
            axes.axhline(row - 0.5, color="#999999", linewidth=0.8)
    axis(axes, [v for _, v in points])
    counts = {d: len({r["shape"] for r, _ in points if domains[r["shape"]] == d}) for d in order}
    axes.set_yticks(range(len(order)), [f"{d} ({counts[d]})" for d in order], fontsize=10)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.25)
    handles = type_handles(plt, types) + [plt.Line2D([], [], color="black", linewidth=2.0, label="median")]
    return finish(plt, figure, title, handles, path)


def plot_catalogue(plt, context, results, directory):
    domains, made = domains_of_kernels(), []
    kernels = [r for r in results if r["shape"] in domains and r["type"] in TYPES and r["steps"] == 1]
    pairs = largest(compared(kernels), lambda r: r["shape"])
    if pairs:
        points = [(a, a["rate"] / b["rate"]) for a, b in pairs]
        title = (f"The catalogue: the library over the best rival, {machine(context)}\n"
                 f"{summary([v for _, v in points], '')}")
        made += draw_domains(plt, points, title, os.path.join(directory, "rivals-catalogue.png"), axis_of_ratios)
    ours = [(r, None) for r in kernels if r["candidate"] == "auto" and r["ceiling_fraction"]]
    points = [(r, r["ceiling_fraction"]) for r, _ in largest(ours, lambda r: r["shape"])]
    if points:
        title = f"The catalogue: speed over the ceiling of the unit that computes, {machine(context)}"
        made += draw_domains(plt, points, title, os.path.join(directory, "ceilings-catalogue.png"), axis_of_fractions)
    return made


def plot_sizes(plt, context, results, directory):
    lines = {}
    for r in shapes_of(results):
        group = lines.setdefault((case_of(r), r["type"]), {}).setdefault(r["extents"], {})
        group[r["candidate"]] = r
    # Cubes and squares only, or points along an edge would say little.
    lines = {key: {e: g for e, g in sizes.items() if len(set(e.split("x"))) == 1 and "auto" in g}
             for key, sizes in lines.items()}
    lines = {key: sizes for key, sizes in lines.items() if len(sizes) >= 4}
    if not lines:
        return []
    columns = min(3, len(lines))
    rows = (len(lines) + columns - 1) // columns
    figure, grid = plt.subplots(rows, columns, figsize=(PAGE, 2.4 * rows + 0.9), squeeze=False)
    for axes in grid.flat[len(lines):]:
        axes.axis("off")
    for axes, key in zip(grid.flat, sorted(lines)):
        case, value_type = key
        sizes = sorted((g["auto"]["points"], int(e.split("x")[0]), g) for e, g in lines[key].items())
        edges = [edge for _, edge, _ in sizes]
        axes.plot(edges, [g["auto"]["rate"] for _, _, g in sizes], marker="o", color="#c0392b", linewidth=2.0)
        rivals = [(edge, best_rival(g)["rate"]) for _, edge, g in sizes if best_rival(g)]
        axes.plot([e for e, _ in rivals], [rate for _, rate in rivals], marker="s", color="#777777")
        single = [(edge, g["sweeps_in_graph"]["rate"]) for _, edge, g in sizes if "sweeps_in_graph" in g]
        axes.plot([e for e, _ in single], [rate for _, rate in single], marker="^", color="#2c7fb8")
        copies = [(edge, g["auto"]["copy"] / 2 / BYTES[value_type]) for _, edge, g in sizes if g["auto"]["copy"]]
        axes.plot([e for e, _ in copies], [rate for _, rate in copies], color="black", linestyle=":")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        ticks(axes.yaxis, *axes.get_ylim())
        # Labels need room.
        apart, shown = (1.9 if edges[-1] < 16 * edges[0] else 3.5), edges[-1:]
        for edge in reversed(edges):
            if edge * apart <= shown[-1]:
                shown.append(edge)
        axes.xaxis.set_ticks(shown, [str(e) for e in shown], fontsize=9)
        axes.xaxis.set_ticks([], minor=True)
        axes.set_title(f"{case_label(case)}, {value_type}", fontsize=10)
        axes.grid(alpha=0.25, which="both")
    for axes in grid[:, 0]:
        axes.set_ylabel("GStencil/s")
    for axes in [*grid.flat][max(0, len(lines) - columns):len(lines)]:
        axes.set_xlabel("points along an edge")
    handles = [plt.Line2D([], [], marker="o", color="#c0392b", linewidth=2.0, label="the library"),
               plt.Line2D([], [], marker="s", color="#777777", label="the best rival"),
               plt.Line2D([], [], marker="^", color="#2c7fb8", label="a launch a sweep, in a graph"),
               plt.Line2D([], [], color="black", linestyle=":", label="one sweep at the speed of a copy")]
    return finish(plt, figure, f"Speed against size, {machine(context)}", handles, os.path.join(directory, "sizes.png"))


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


def plot_breakdown(plt, context, results, directory):
    """SparStencil's figures 7 and 8: what each unit gains, and what the preparation costs."""
    found = {}
    for r in results:
        if r["shape"] == "box-2d3r" and r["type"] == "half" and r["steps"] == 1:
            found.setdefault(r["points"], {})[r["candidate"]] = r
    sizes = [n for n in sorted(found) if "cuda_sparse_tensor" in found[n] and found[n]["cuda_sparse_tensor"]["plan"]]
    if len(sizes) < 3:
        return []
    stages = [s for s in STAGES if any(s in found[n] for n in sizes)]
    figure, (left, right) = plt.subplots(1, 2, figsize=(PAGE, 5.0))
    labels = [found[n]["auto"]["extents"].split("x")[0] for n in sizes]
    for stage in stages:
        xs = [i for i, n in enumerate(sizes) if stage in found[n] and "kokkos_mdrange_best" in found[n]]
        ys = [found[sizes[i]][stage]["rate"] / found[sizes[i]]["kokkos_mdrange_best"]["rate"] for i in xs]
        left.plot(xs, ys, marker="o", color=STAGES[stage], linewidth=1.8)
    left.set_yscale("log")
    ticks(left.yaxis, *left.get_ylim())
    left.set_ylabel("speed over MDRangePolicy with its best tile")
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
    ticks(right.yaxis, *right.get_ylim())
    right.set_ylabel("preparing the plan, % of plan and sweeps")
    right.legend(fontsize=9)
    for axes in (left, right):
        axes.set_xticks(range(len(sizes)))
        axes.set_xticklabels(labels, rotation=30)
        axes.set_xlabel("points along an edge")
        axes.grid(axis="y", alpha=0.3)
    handles = [plt.Line2D([], [], marker="s", linestyle="", color=STAGES[s], label=RIVALS.get(s, s)) for s in stages]
    return finish(plt, figure, f"The box of radius 3 in 2-D (Box-2D49P) in half, {machine(context)}", handles,
                  os.path.join(directory, "breakdown.png"))


def plot_scaling(plt, context, results, directory):
    groups = {}
    for r in results:
        if r["ranks"] > 1:
            key = (r["scaling"], case_of(r), r["type"], r["points"], r["extents"], r["ranks"], r["cut"])
            groups.setdefault(key, {})[r["candidate"]] = r["rate"]
    rows = []
    for (scaling, case, value_type, _, extents, ranks, cut), rates in sorted(groups.items(), reverse=True):
        if "alone" in rates:
            times = ranks if scaling == "strong" else 1
            found = {who: rate / rates["alone"] / times for who, rate in rates.items() if who in ENGINES}
            rows.append((scaling, f"{case_label(case)}, {value_type}, {extents}, {ranks} ranks{cut and f' as {cut}'}", found))
    if not rows:
        return []
    kinds = [k for k in ("weak", "strong") if any(r[0] == k for r in rows)]
    counts = [sum(r[0] == k for r in rows) for k in kinds]
    figure, all_axes = plt.subplots(len(kinds), 1, squeeze=False, figsize=(PAGE, 0.32 * len(rows) + 0.8 * len(kinds) + 0.9),
                                    gridspec_kw={"height_ratios": counts})
    for axes, kind in zip(all_axes[:, 0], kinds):
        shown = [r for r in rows if r[0] == kind]
        for y, (_, _, found) in enumerate(shown):
            for who, value in found.items():
                axes.plot(value, y, marker=ENGINES[who][0], color=ENGINES[who][1], markersize=7)
        axes.set_yticks(range(len(shown)), [label for _, label, _ in shown], fontsize=9)
        axes.set_ylim(-0.6, len(shown) - 0.4)
        axes.set_xlim(0.0, 1.05)
        axes.axvline(1.0, color="black", linewidth=1.0)
        axes.grid(alpha=0.3)
        axes.set_xlabel(f"{kind} scaling: fraction of so many times one alone")
    present = {who for _, _, found in rows for who in found}
    handles = [plt.Line2D([], [], marker=ENGINES[w][0], color=ENGINES[w][1], linestyle="", label=ENGINES[w][2])
               for w in ENGINES if w in present]
    return finish(plt, figure, f"Many processes, {machine(context)}", handles, os.path.join(directory, "scaling.png"))


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

    context, results = load(arguments.files)
    if not results:
        print("plot_benchmarks.py: no results in " + ", ".join(arguments.files), file=sys.stderr)
        return 2
    os.makedirs(arguments.output, exist_ok=True)
    made = []
    for plot in (plot_rivals, plot_ceilings, plot_catalogue, plot_sizes, plot_scaling, plot_breakdown):
        made += plot(plt, context, results, arguments.output)
    if not made:
        print("plot_benchmarks.py: no case was measured beside a rival, at several sizes or with a ceiling", file=sys.stderr)
    for path in made:
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
