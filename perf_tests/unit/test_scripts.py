#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the scripts that read and write results."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")
sys.path.insert(0, SCRIPTS)
import bench_devito  # noqa: E402
import compare_benchmarks  # noqa: E402
import compare_model  # noqa: E402
import plot_benchmarks  # noqa: E402
import predict_scaling  # noqa: E402
import profile_model  # noqa: E402


def result(name, rate, **more):
    b = {"name": name, "run_name": name, "run_type": "iteration", "GStencil/s": rate, "GB/s": 8 * rate,
         "copy_fraction": rate / 500, "ceiling_fraction": rate / 400, "max_error_over_S": 1e-7, "terms": 9}
    b.update(more)
    return b


def error(name, message):
    return {"name": name, "run_name": name, "run_type": "iteration", "error_occurred": True, "error_message": message}


class Files(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def write(self, name, benchmarks):
        path = os.path.join(self.directory.name, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"context": {"gpu": "test"}, "benchmarks": benchmarks}, file)
        return path

    def compare(self, *arguments):
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = compare_benchmarks.main(list(arguments))
        return status, output.getvalue()


    def failing(self, script, *arguments, output=None):
        """Status and errors of a script in a process of its own."""
        command = [sys.executable, script.__file__, *arguments]
        with open(output or os.devnull, "w", encoding="utf-8") as file:
            done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, text=True, check=False)
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, done.stderr


A = "box-2d1r/float/generic/64x64/steps:1"
B = "star-2d1r/float/generic/64x64/steps:1"
R = "box-2d1r/float/openmp_simd/64x64/steps:1"


class Compare(Files):
    def test_equal_files_pass(self):
        f = self.write("a.json", [result(A, 100), result(B, 50)])
        status, text = self.compare(f, f)
        self.assertEqual(status, 0)
        self.assertIn("geometric mean 1.000, worst 1.000", text)

    def test_geometric_mean_and_worst(self):
        base = self.write("a.json", [result(A, 100), result(B, 50)])
        head = self.write("b.json", [result(A, 400), result(B, 50)])
        status, text = self.compare(base, head)
        self.assertEqual(status, 0)
        self.assertIn(f"geometric mean 2.000, worst 1.000 ({B})", text)

    def test_slower_fails(self):
        base = self.write("a.json", [result(A, 100), result(B, 50)])
        head = self.write("b.json", [result(A, 90), result(B, 60)])
        self.assertEqual(self.compare(base, head)[0], 1)
        self.assertEqual(self.compare(base, head, "--worst", "0.85")[0], 0)
        self.assertEqual(self.compare(base, head, "--filter", "star")[0], 0)

    def test_new_error_fails(self):
        base = self.write("a.json", [result(A, 100), result(B, 50)])
        head = self.write("b.json", [result(A, 100), error(B, "wrong result: 3 points are NaN")])
        status, text = self.compare(base, head)
        self.assertEqual(status, 1)
        self.assertIn("wrong result", text)

    def test_old_error_and_unavailable_pass(self):
        base = self.write("a.json", [result(A, 100), error(B, "wrong result"), result(R, 5)])
        head = self.write("b.json", [result(A, 100), error(B, "wrong result"), error(R, "unavailable: none")])
        self.assertEqual(self.compare(base, head)[0], 0)

    def test_pair(self):
        f = self.write("a.json", [result(A, 100), result(R, 80), result(B, 50)])
        status, text = self.compare("--pair", "generic", "openmp_simd", f)
        self.assertEqual(status, 0)
        self.assertIn("1 benchmarks, geometric mean 1.250", text)
        self.assertEqual(self.compare("--pair", "openmp_simd", "generic", f)[0], 1)

    def test_other_metric(self):
        base = self.write("a.json", [result(A, 100, copy_fraction=0.9)])
        head = self.write("b.json", [result(A, 50, copy_fraction=0.9)])
        self.assertEqual(self.compare(base, head, "--metric", "copy_fraction")[0], 0)

    def test_median_of_repetitions(self):
        rows = [result(A, 10), result(A, 1000),
                dict(result(A, 100), name=A + "_median", run_type="aggregate", aggregate_name="median")]
        f = self.write("a.json", rows)
        self.assertEqual(compare_benchmarks.load(f)[A]["GStencil/s"], 100)

    def test_nothing_to_compare(self):
        f = self.write("a.json", [])
        self.assertEqual(self.compare(f, f)[0], 2)
        self.assertEqual(self.failing(compare_benchmarks, f, f + ".missing")[0], 2)

    def test_names(self):
        parts = compare_benchmarks.split("box-2d7r/float/cuda_tensor/10240x10240/steps:7/accuracy:relaxed")
        self.assertEqual(parts, {"shape": "box-2d7r", "type": "float", "candidate": "cuda_tensor",
                                 "extents": "10240x10240", "steps": 7, "accuracy": "relaxed", "faces": "halo",
                                 "rows": "", "ranks": 1, "cut": "", "scaling": ""})
        parts = compare_benchmarks.split("star-2d1r/float/peer/2048x1024/steps:100/ranks:2/weak")
        self.assertEqual((parts["candidate"], parts["ranks"], parts["scaling"]), ("peer", 2, "weak"))
        parts = compare_benchmarks.split("star-3d1r/float/peer/512x512x512/steps:9/ranks:4/cut:2x2x1/strong")
        self.assertEqual((parts["cut"], parts["ranks"], parts["scaling"]), ("2x2x1", 4, "strong"))
        parts = compare_benchmarks.split("star-2d1r/double/auto/10240x10240/steps:24/faces:periodic")
        self.assertEqual((parts["accuracy"], parts["faces"]), ("native", "periodic"))
        name = "star-2d1r/half/auto/10240x10240/steps:1/pitch:10256/columns:1-2/coefficients:symmetric"
        self.assertEqual(compare_benchmarks.split(name)["rows"], "pitch:10256/columns:1-2/coefficients:symmetric")
        self.assertIsNone(compare_benchmarks.split("device_peaks/copy/kernel"))


class Damaged(Files):
    """What is wrong with a file, a number or the output is said in a line, with status 2."""

    FILES = ["", "[]", "{", '{"benchmarks": 1}', '{"benchmarks": [1]}', '{"benchmarks": [{}]}', "[" * 100000,
             '{"benchmarks": [{"name": 1}]}', '{"benchmarks": [{"name": "a", "GStencil/s": NaN}]}',
             '{"benchmarks": [{"name": "a", "GStencil/s": "fast"}]}', '{"benchmarks": [{"name": "a", "GB/s": 1e999}]}',
             '{"benchmarks": [{"name": "a", "GB/s": -1}]}', '{"benchmarks": [{"name": "a/b/c/0x1/steps:1"}]}',
             '{"benchmarks": [{"name": "a/b/c/1x1/steps:' + "9" * 5000 + 'x"}]}',
             '{"benchmarks": [{"name": "a/b/c/1x1/steps:1", "terms": ' + "9" * 5000 + "}]}"]

    def test_files(self):
        for number, text in enumerate(self.FILES):
            path = os.path.join(self.directory.name, f"{number}.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            for script, arguments in ((compare_benchmarks, ["--pair", "a", "b", path]), (compare_model, [path, path]),
                                      (profile_model, ["--from", path])):
                status, errors = self.failing(script, *arguments)
                self.assertEqual(status, 2, (script.__name__, text[:80]))
                self.assertLess(len(errors), 1000)

    def test_no_file(self):
        for path in (self.directory.name, os.path.join(self.directory.name, "missing"), "/dev/zero"):
            self.assertEqual(self.failing(compare_benchmarks, "--pair", "a", "b", path)[0], 2)

    def test_numbers(self):
        f = self.write("a.json", [result(A, 100)])
        for value in ("nan", "inf", "0", "-1", "1e300", "fast"):
            self.assertEqual(self.failing(compare_benchmarks, f, f, "--worst=" + value)[0], 2, value)
            self.assertEqual(self.failing(compare_benchmarks, f, f, "--mean=" + value)[0], 2, value)
        self.assertEqual(self.failing(compare_benchmarks, f, f, "--filter=(")[0], 2)

    def test_lost_output(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        f = self.write("a.json", [result(A, 100)])
        status, errors = self.failing(compare_benchmarks, f, f, output="/dev/full")
        self.assertEqual(status, 2)
        self.assertIn("No space left", errors)


class Model(Files):
    """Two backends, A predicted at 100 us and B at 200 us."""

    CASE = "box-2d1r/float/{}/10240x10240/steps:1"

    def run_with(self, a, b, auto=None, *options):
        path = os.path.join(self.directory.name, "p.json")
        predictions = [{"name": self.CASE.format(k), "depth": 1, "seconds": t, "flop": 18, "bytes": 8, "unit": "cores",
                        "ceiling": "memory", "fraction": 0.9, "chosen": k == "a"}
                       for k, t in (("a", 1e-4), ("b", 2e-4))]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"device": "test", "predictions": predictions}, file)
        timed = [result(self.CASE.format(k), 1, real_time=t, time_unit="us", label=k) for k, t in (("a", a), ("b", b))]
        if auto:
            timed.append(result(self.CASE.format("auto"), 1, real_time=a, time_unit="us", label=auto))
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = compare_model.main([path, self.write("r.json", timed), *options])
        return status, output.getvalue()

    def test_a_good_choice_passes(self):
        status, text = self.run_with(110, 190)
        self.assertEqual(status, 0)
        self.assertIn("1 cases: the choice is within 5 % of the fastest in 100.0%, within 20 % in 100.0%, "
                      "the worst takes 1.000", text)

    def test_a_bad_choice_fails(self):
        status, text = self.run_with(250, 190)
        self.assertEqual(status, 1)
        self.assertIn("the worst takes 1.316", text)
        self.assertIn("-60%", text)

    def test_where_the_host_binds_the_device_judges(self):
        name = "star-2d1r/float/{}/64x64/steps:1"
        path = self.write("r.json", [result(name.format(k), 1, real_time=5.0, time_unit="us", label=k, device_us=us)
                                     for k, us in (("generic", 2.0), ("a", 3.0))])
        measured = compare_model.measured_times([path])
        case = name.format("*")
        self.assertAlmostEqual(measured[case]["a"][0], 5e-6)
        predicted = {case: {"generic": {"seconds": 5e-6}, "a": {"seconds": 4e-6}}}
        picks = compare_model.choices(predicted, measured)
        self.assertEqual(picks[0][:3], (case, "a", "generic"))
        self.assertAlmostEqual(picks[0][3], 1.5)
        self.assertAlmostEqual(compare_model.slower_than_generic(picks, measured)[0][2], 1.5)

    def test_groups_and_generic(self):
        name = "star-3d2r/half/{}/55x467x68/steps:29/faces:mirror"
        times = {"generic": 100, "a": 120, "b": 60, "cuda_tensor": 1}
        path = self.write("r.json", [result(name.format(k), 1, real_time=t, time_unit="us", label=k)
                                     for k, t in times.items()])
        measured = compare_model.measured_times([path])
        case = name.format("*")
        self.assertEqual(sorted(measured[case]), ["a", "b", "generic"])
        picks = [(case, "a", "b", 2.0)]
        self.assertEqual(compare_model.slower_than_generic(picks, measured), [(case, "a", 1.2)])
        found = {(kind, value) for kind, value, *_ in compare_model.groups(picks)}
        self.assertEqual(found, {("rank", "3"), ("type", "half"), ("sweeps", "many"), ("faces", "mirror"),
                                 ("rows", "not aligned"), ("chosen", "a")})
        self.assertTrue(compare_model.aligned("star-2d1r/half/*/50x99/steps:1/pitch:104"))
        self.assertFalse(compare_model.aligned("star-2d1r/half/*/50x99/steps:1/pitch:104/columns:1-1"))

    def test_what_was_really_chosen_counts(self):
        self.assertEqual(self.run_with(100, 190, "b")[0], 1)
        self.assertEqual(self.run_with(100, 190, "a")[0], 0)

    def test_tables(self):
        rst = os.path.join(self.directory.name, "t.inc")
        self.run_with(120, 190, None, "--rst", rst)
        with open(rst, encoding="utf-8") as file:
            self.assertIn("Of 1 cases", file.read())

    def test_nothing_in_common(self):
        path = self.write("r.json", [])
        other = os.path.join(self.directory.name, "p.json")
        with open(other, "w", encoding="utf-8") as file:
            json.dump({"device": "test", "predictions": []}, file)
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(compare_model.main([other, path]), 2)


class PredictScaling(Files):
    def explain(self, *lines):
        path = os.path.join(self.directory.name, "explain")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + "\n".join(lines) + "\n")
        os.chmod(path, 0o755)
        return path

    def test_adds_predictions(self):
        def row(who, **more):
            return dict(more, name=f"star-3d2r/float/{who}/128x64x32/steps:8/ranks:4/cut:2x2x1/weak", real_time=10.0)

        path = self.write("a.json", [row("alone"), row("peer", of_alone=0.9, sweeps_an_exchange=12), row("by_hand")])
        asked = os.path.join(self.directory.name, "asked")
        explain = self.explain(f'echo "$@" >> {asked}', """echo '[{"seconds": 8e-6}, {"seconds": 10e-6}]'""")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(predict_scaling.main([path, "--explain", explain]), 0)
        found = compare_benchmarks.read_json(path)["benchmarks"]
        self.assertEqual([b.get("predicted") for b in found], [8.0, 10.0, None])
        self.assertEqual([b.get("predicted_of_alone") for b in found], [None, 0.8, None])
        self.assertIn("of alone 0.900, predicted 0.800 (-11 %)", output.getvalue())
        with open(asked, encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines()[1],
                             "--json --device test --shape star --rank 3 --radius 2 --type float --extents 64x32x32 "
                             "--steps 8 --ranks 4 --cut 2x2x1 --engine peer --halo-depth 12")

    def test_keeps_the_file_where_there_is_no_prediction(self):
        path = self.write("a.json", [{"name": "star-2d1r/float/peer/64x64/steps:8/ranks:2/strong", "real_time": 1.0}])
        with open(path, encoding="utf-8") as file:
            before = file.read()
        explain = self.explain("echo no such GPU >&2", "exit 1")
        with self.assertRaisesRegex(ValueError, "no such GPU"):
            predict_scaling.main([path, "--explain", explain])
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)


class Plot(Files):
    def results(self):
        rows = [{"name": "device_peaks/copy/kernel", "run_name": "device_peaks/copy/kernel", "GB/s": 4000.0}]
        for n in (64, 128, 256, 512):
            for factor, candidate in ((1, "kokkos_mdrange_best"), (2, "generic"), (3, "auto")):
                rows.append(result(f"box-2d1r/float/{candidate}/{n}x{n}/steps:1", float(factor * n)))
        rows.append(result("star-2d1r/float/auto/64x64/steps:8", 900.0))
        rows.append(result("star-2d1r/float/kokkos_mdrange_default/64x64/steps:8", 90.0))
        rows.append(result("heat-2d-5point/double/auto/64x64/steps:1", 90.0))
        rows.append(result("heat-2d-5point/double/cudnn/64x64/steps:1", 30.0))
        for n in (256, 512, 1024):
            for candidate in ("kokkos_mdrange_best", "cuda_sparse_tensor", "auto"):
                rows.append(result(f"box-2d3r/half/{candidate}/{n}x{n}/steps:1", 50.0, plan_us=20.0))
        for scaling, rate in (("weak", 80.0), ("strong", 70.0)):
            for who in ("alone", "peer", "by_hand"):
                rows.append(result(f"star-2d1r/float/{who}/128x64/steps:8/ranks:2/{scaling}", rate))
        rows.append(error("box-2d1r/float/cudnn/64x64/steps:1", "unavailable: none"))
        return rows

    def test_reads_results(self):
        context, results = plot_benchmarks.load([self.write("a.json", self.results())])
        self.assertEqual(context["gpu"], "test")
        self.assertEqual(len(results), 31)
        pairs = plot_benchmarks.compared(results)
        self.assertEqual(len(pairs), 9)
        self.assertEqual({a["candidate"] for a, _ in pairs}, {"auto"})
        largest = plot_benchmarks.largest(plot_benchmarks.compared(plot_benchmarks.shapes_of(results)),
                                          plot_benchmarks.case_of)
        self.assertEqual({(a["extents"], round(a["rate"] / b["rate"])) for a, b in largest},
                         {("512x512", 3), ("64x64", 10), ("1024x1024", 1)})

    def test_draws(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is missing")
        f = self.write("a.json", self.results())
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(plot_benchmarks.main([f, "--output", self.directory.name]), 0)
        for name in ("rivals", "rivals-catalogue", "ceilings", "ceilings-catalogue", "sizes", "scaling", "breakdown"):
            path = os.path.join(self.directory.name, name + ".png")
            self.assertGreater(os.path.getsize(path), 5000, path)
            with open(path, "rb") as file:
                width = int.from_bytes(file.read(24)[16:20], "big")
            self.assertLess(width, 1000, "no wider than a page")

    def test_few_results(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is missing")
        f = self.write("a.json", [result(A, 100)])
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(plot_benchmarks.main([f, "--output", self.directory.name]), 0)
        self.assertEqual(output.getvalue(), "")


class Help(unittest.TestCase):
    def test_help(self):
        for script in ("compare_benchmarks.py", "plot_benchmarks.py"):
            done = subprocess.run([sys.executable, os.path.join(SCRIPTS, script), "--help"], capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 0)
            self.assertIn("usage", done.stdout)
        done = subprocess.run(["sh", os.path.join(SCRIPTS, "bench.sh"), "--help"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn("--quick", done.stdout)


class Devito(Files):
    def test_terms_are_those_of_the_benchmarks(self):
        # perf_tests/harness/Kernel.cpp: as many terms, weights over a power of two that add up to 1.
        for family, rank, radius, count in (("star", 2, 1, 5), ("star", 3, 8, 49), ("box", 2, 3, 49), ("box", 3, 3, 343)):
            terms = bench_devito.terms_of(family, rank, radius)
            self.assertEqual(len({offset for offset, _ in terms}), count)
            self.assertEqual(sum(c for _, c in terms), 1.0)
            self.assertEqual(max(abs(o) for offset, _ in terms for o in offset), radius)
        self.assertEqual([c * 64 for _, c in bench_devito.terms_of("star", 2, 1)], [10, 15, 14, 13, 12])

    def test_bad_input_is_an_error_of_a_line(self):
        out = os.path.join(self.directory.name, "out.json")
        good = self.write("good.json", [result("star-2d1r/float/auto/64x64/steps:1", 1.0)])
        other = self.write("other.json", [result("heat-2d-5point/float/auto/64x64/steps:1", 1.0)])
        for arguments, text in (((os.path.join(self.directory.name, "none.json"), "--output", out), "none.json"),
                                ((good,), "--output FILE"), ((good, "--output", out, "--samples", "0"), "--samples"),
                                ((good, "--output", out, "--filter", "("), "bench_devito.py")):
            status, errors = self.failing(bench_devito, *arguments)
            self.assertEqual(status, 2, arguments)
            self.assertIn(text, errors)
            self.assertEqual(errors.count("\n"), 1)
        # Without Devito, or without a case for it.
        status, errors = self.failing(bench_devito, other, "--output", out)
        self.assertEqual((status, errors.count("\n")), (2, 1))


if __name__ == "__main__":
    unittest.main()
