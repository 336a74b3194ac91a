#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The performance model against measurements: its error, and whether it chooses well.

    KokkosStencil_benchmarks --suite=full --benchmark_out=result.json          (on the GPU)
    KokkosStencil_benchmarks --suite=full --predict=H200 > predictions.json    (anywhere)
    compare_model.py predictions.json result.json

Prints, for each ceiling, the error of the predicted times, and for each case what the model would choose against the
fastest backend that was measured. Where the result has the candidate "auto", what the library really chose counts.

    --model       what these predictions choose counts, whatever "auto" chose when it was measured
    --all         every case, not only those that miss the aims
    --groups      also by rank, type, number of sweeps, faces, alignment of rows and backend that was chosen
    --rst FILE    the summary as tables for the documentation

The exit status is 1 if the choice misses its aims: within 5 % of the fastest in 95 % of the cases, never 20 % off.
"""

import argparse
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_benchmarks import entries, load, read_json, run, split  # noqa: E402

RIVALS = ("kokkos_mdrange", "openmp_simd", "cudnn", "textbook", "sweeps_in_graph")
NOT_CHOSEN = ("cuda_tensor",)  # measured beside the library, no backend of it
NEAR, FAR, SHARE, ERROR = 1.05, 1.20, 0.95, 0.25


def case_of(name):
    parts = split(name)
    return None if parts is None else name.replace("/" + parts["candidate"] + "/", "/*/", 1)


def measured_times(paths):
    """{case: {candidate: (seconds, label, seconds by which choices are judged)}} of the library's backends."""
    cases = {}
    for path in paths:
        for name, b in load(path).items():
            parts = split(name)
            if (parts is None or b.get("error_occurred") or parts["candidate"].startswith(RIVALS)
                    or parts["candidate"] in NOT_CHOSEN):
                continue
            scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}.get(b.get("time_unit"))
            if scale is None or not b.get("real_time"):
                raise ValueError(f"{path}: no time of {name}")
            seconds = b["real_time"] * scale
            # What the host takes for a launch hides what the device does.
            judged = 1e-6 * b["device_us"] if "device_us" in b else seconds
            cases.setdefault(case_of(name), {})[parts["candidate"]] = (seconds, b.get("label", ""), judged)
    return cases


def predicted_times(path):
    """{case: {backend: the prediction at its best depth}}."""
    data = read_json(path)
    cases = {}
    for p in entries(data, "predictions", path, ("name", "seconds", "depth", "fraction", "ceiling")):
        if split(p["name"]) is None or p["seconds"] == 0:
            raise ValueError(f"{path}: {p['name'][:80]} is no prediction")
        best = cases.setdefault(case_of(p["name"]), {})
        backend = split(p["name"])["candidate"]
        if backend not in best or p["seconds"] < best[backend]["seconds"]:
            best[backend] = p
    return str(data.get("device")), cases


def errors(predicted, measured):
    """[(case, backend, prediction, measured seconds, predicted / measured - 1)]"""
    found = []
    for case, backends in predicted.items():
        for backend, p in backends.items():
            if backend in measured.get(case, {}):
                seconds = measured[case][backend][0]
                found.append((case, backend, p, seconds, p["seconds"] / seconds - 1.0))
    return found


def choices(predicted, measured, model=False):
    """[(case, chosen, fastest, time of the chosen over that of the fastest)]"""
    found = []
    for case, backends in predicted.items():
        times = {b: t[2] for b, t in measured.get(case, {}).items() if b != "auto"}
        if not times:
            continue
        known = {b: p["seconds"] for b, p in backends.items() if b in times}
        chosen = min(known, key=known.get) if known else None
        if not model and "auto" in measured[case] and measured[case]["auto"][1] in times:
            chosen = measured[case]["auto"][1]
        if chosen is None:
            continue
        fastest = min(times, key=times.get)
        found.append((case, chosen, fastest, times[chosen] / times[fastest]))
    return found


def slower_than_generic(picks, measured):
    """[(case, chosen, time over that of generic)] of those beyond NEAR."""
    found = []
    for case, chosen, _, _ in picks:
        times = measured[case]
        if "generic" in times and times[chosen][2] > NEAR * times["generic"][2]:
            found.append((case, chosen, times[chosen][2] / times["generic"][2]))
    return found


def aligned(case):
    """Whether rows begin with vectors of 16 bytes."""
    parts = split(case)
    rest = dict(part.split(":") for part in parts["rows"].split("/") if part)
    pitch = int(rest.get("pitch", parts["extents"].split("x")[-1]))
    size = {"double": 8, "float": 4}.get(parts["type"], 2)
    return ("x" not in parts["extents"] or pitch * size % 16 == 0) and "columns" not in rest


def groups(picks):
    """[(kind, its name, cases, share within NEAR, share within FAR, worst)]: where choices are good and where not."""
    kinds = {"rank": lambda c, b: split(c)["extents"].count("x") + 1, "type": lambda c, b: split(c)["type"],
             "sweeps": lambda c, b: "one" if split(c)["steps"] == 1 else "many", "faces": lambda c, b: split(c)["faces"],
             "rows": lambda c, b: "aligned" if aligned(c) else "not aligned", "chosen": lambda c, b: b}
    found = []
    for kind, name_of in kinds.items():
        named = {}
        for case, chosen, _, ratio in picks:
            named.setdefault(str(name_of(case, chosen)), []).append(ratio)
        found += [(kind, name, len(r), sum(x <= NEAR for x in r) / len(r), sum(x <= FAR for x in r) / len(r), max(r))
                  for name, r in sorted(named.items())]
    return found


def summary(rows):
    """Lines (name, count, median |error|, share within ERROR, worst) by ceiling and in all."""
    lines = []
    for name in ("memory", "arithmetic", "launch", "all", "chosen"):
        if name == "chosen":
            some = [e for _, _, p, _, e in rows if p.get("best")]
        else:
            some = [e for _, _, p, _, e in rows if name in ("all", p["ceiling"])]
        if some:
            inside = sum(abs(e) <= ERROR for e in some) / len(some)
            lines.append((name, len(some), statistics.median(abs(e) for e in some), inside, max(some, key=abs)))
    return lines


def rst(path, device, lines, picks):
    good = sum(r <= NEAR for *_, r in picks) / len(picks)
    with open(path, "w", encoding="utf-8") as file:
        file.write(".. SPDX-FileCopyrightText: 2026 The KokkosStencil authors\n"
                   ".. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n\n"
                   ".. Written by scripts/compare_model.py.\n\n"
                   f".. list-table:: Predicted over measured times, {device}\n   :header-rows: 1\n\n")
        table = [("ceiling", "predictions", "median error", f"within {ERROR:.0%}", "worst")]
        table += [(n, str(c), f"{m:.1%}", f"{i:.0%}", f"{w:+.0%}") for n, c, m, i, w in lines]
        for line in table:
            file.write("   * - " + "\n     - ".join(line) + "\n")
        file.write(f"\nOf {len(picks)} cases the choice is within 5 % of the fastest backend in {good:.1%}; the worst "
                   f"takes {max(r for *_, r in picks):.2f} times as long.\n")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("predictions")
    parser.add_argument("results", nargs="+")
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--groups", action="store_true")
    parser.add_argument("--rst")
    options = parser.parse_args(arguments)

    device, predicted = predicted_times(options.predictions)
    measured = measured_times(options.results)
    picks = choices(predicted, measured, options.model)
    if not picks:
        print("no case is in both files", file=sys.stderr)
        return 2
    for case, chosen, _, _ in picks:
        if chosen in predicted[case]:
            predicted[case][chosen]["best"] = True
    rows = errors(predicted, measured)

    print(f"{'case':58} {'backend':20} {'depth':>5} {'ceiling':>10} {'predicted':>11} {'measured':>11} {'error':>7}")
    for case, backend, p, seconds, e in sorted(rows, key=lambda r: -abs(r[4])):
        if options.all or abs(e) > ERROR:
            print(f"{case:58} {backend:20} {p['depth']:5} {p['ceiling']:>10} {1e6 * p['seconds']:8.1f} us "
                  f"{1e6 * seconds:8.1f} us {e:+7.0%}")
    print(f"\n{'ceiling':12} {'count':>6} {'median error':>13} {'within 25 %':>12} {'worst':>7}")
    lines = summary(rows)
    for name, count, middle, inside, worst in lines:
        print(f"{name:12} {count:6} {middle:13.1%} {inside:12.0%} {worst:+7.0%}")

    print(f"\n{'case':58} {'chosen':20} {'fastest':20} {'time ratio':>10}")
    for case, chosen, fastest, ratio in sorted(picks, key=lambda p: -p[3]):
        if options.all or ratio > NEAR:
            print(f"{case:58} {chosen:20} {fastest:20} {ratio:10.3f}")
    good = sum(ratio <= NEAR for *_, ratio in picks) / len(picks)
    worst = max(ratio for *_, ratio in picks)
    if options.groups:
        print(f"\n{'':30} {'cases':>6} {'within 5 %':>11} {'within 20 %':>12} {'worst':>6}")
        for kind, name, count, near, far, most in groups(picks):
            print(f"{kind:8} {name:21} {count:6} {near:11.1%} {far:12.1%} {most:6.2f}")
    slow = sorted(slower_than_generic(picks, measured), key=lambda s: -s[2])
    for case, chosen, ratio in slow:
        print(f"slower than generic, {ratio:.3f} times as long: {case} by {chosen}")
    inside = sum(ratio <= FAR for *_, ratio in picks) / len(picks)
    print(f"\n{len(picks)} cases: the choice is within 5 % of the fastest in {good:.1%}, within 20 % in {inside:.1%}, the "
          f"worst takes {worst:.3f} times as long; {len(slow)} are more than 5 % slower than generic")
    if options.rst:
        rst(options.rst, device, lines, picks)
    return 0 if good >= SHARE and worst <= FAR else 1


if __name__ == "__main__":
    sys.exit(run(main))
