#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/calibrate.py: test_calibrate.py KokkosStencil_benchmarks [arguments of unittest]"""

import contextlib
import io
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import calibrate  # noqa: E402

EXECUTABLE = sys.argv.pop(1)
SUITES = "targets,sweeps,small,medium,random"
CASES = 300


class Calibrate(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def path(self, name):
        return os.path.join(self.directory, name)

    def predict(self, device, suites=SUITES, *more):
        text = subprocess.run([EXECUTABLE, f"--suite={suites}", f"--predict={device}", f"--cases={CASES}", *more],
                              capture_output=True, text=True, check=True).stdout
        return json.loads(text)

    def measured(self, data, name, context=None, more=(), on_device=False):
        """A result file as if the predictions were measurements; on_device: of short single sweeps also the device's."""
        best = {}
        for p in data["predictions"]:
            if p["name"] not in best or p["seconds"] < best[p["name"]]["seconds"]:
                best[p["name"]] = p
        benchmarks = [{"name": n, "run_name": n, "run_type": "iteration", "real_time": 1e6 * p["seconds"],
                       "time_unit": "us", "label": n.split("/")[2]} for n, p in best.items()]
        for b in benchmarks:
            device_us = 1e6 * best[b["name"]]["device_seconds"]
            if on_device and b["real_time"] < 20.0 and "steps:1" in b["name"].split("/") and device_us > 0.0:
                b["device_us"] = device_us
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump({"context": context or {"gpu": "NVIDIA H200"}, "benchmarks": benchmarks + list(more)}, file)
        return self.path(name)

    def calibrate(self, *arguments):
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = calibrate.main([EXECUTABLE, *arguments])
        self.assertEqual(status, 0, errors.getvalue())
        return output.getvalue()

    def efficiencies(self, path):
        with open(path, encoding="utf-8") as file:
            lines = [line.split() for line in file if line.startswith("efficiency ")]
        return {name: float(value) for _, name, value in lines}

    def test_finds_what_was_changed(self):
        now = self.predict("H200", SUITES, "--sensitivities")["efficiencies"]
        self.assertGreater(len(now), 250)
        # By name, so that a value more leaves what the others become.
        changed = {name: value * random.Random(f"7 {name}").uniform(0.85, 1.15) for name, value in now.items()}
        with open(self.path("changed.txt"), "w", encoding="utf-8") as file:
            file.write(self.predict("H200", "model", "--sensitivities")["device_text"])
            for name, value in changed.items():
                file.write(f"efficiency {name} {value:.6g}\n")
        results = self.measured(self.predict(self.path("changed.txt")), "results.json")
        report = self.calibrate("--measured", results, "--suites", SUITES, "--cases", str(CASES), "--output",
                                self.path("found.txt"))
        found = self.efficiencies(self.path("found.txt"))
        self.assertGreater(len(found), 150, report)
        away = sorted(abs(found[name] / changed[name] - 1.0) for name in found)
        # 0.004 to 0.0064 for four draws.
        self.assertLess(statistics.median(away), 0.008, report)
        # A few values that the same cases determine together are found less well each.
        self.assertLess(away[int(0.85 * len(away))], 0.05, report)
        # What is predicted is what was measured.
        error = float(re.search(r"after: +median error +([0-9.]+)%", report).group(1))
        self.assertLess(error, 0.2, report)
        # Values that are not determined have no line.
        for line in report.splitlines():
            if line.endswith("cases") or "not determined" not in line:
                continue
            self.assertNotIn(line.split()[0], found)

    def test_a_name_stands_for_one_value(self):
        data = self.predict("H200", SUITES, "--sensitivities")
        with open(self.path("same.txt"), "w", encoding="utf-8") as file:
            file.write(data["device_text"])
            for name, value in data["efficiencies"].items():
                file.write(f"efficiency {name} {value!r}\n")
        same = self.predict(self.path("same.txt"))
        for before, after in zip(data["predictions"], same["predictions"]):
            self.assertAlmostEqual(after["seconds"] / before["seconds"], 1.0, delta=1e-3, msg=before["name"])

    def test_few_cases_change_nothing_but_what_they_show(self):
        data = self.predict("H200", "targets")
        # By so little that no other kernel of cuda_direct is expected to be faster.
        for p in data["predictions"]:
            p["seconds"] *= 1.06
        few = {"predictions": [p for p in data["predictions"] if p["name"].startswith("star-2d1r/float/cuda_direct")]}
        results = self.measured(few, "few.json")
        report = self.calibrate("--measured", results, "--suites", "targets", "--output", self.path("found.txt"))
        self.assertEqual(self.efficiencies(self.path("found.txt")), {}, report)
        report = self.calibrate("--measured", results, "--suites", "targets", "--least", "1", "--output",
                                self.path("found.txt"))
        found = self.efficiencies(self.path("found.txt"))
        self.assertEqual(list(found), ["cuda_direct/float/rows/star-2d1r"], report)
        self.assertAlmostEqual(found["cuda_direct/float/rows/star-2d1r"], 0.98 / 1.06, delta=0.01)

    def test_the_device_shows_what_the_host_hides(self):
        # Two launches take the host longer than this the device.
        name = "cuda_sparse_tensor/line_ends_least"
        data = self.predict("H200", "small,random", "--sensitivities")
        wanted = 1.4 * data["efficiencies"][name]
        with open(self.path("changed.txt"), "w", encoding="utf-8") as file:
            file.write(data["device_text"] + f"efficiency {name} {wanted:.6g}\n")
        changed = self.predict(self.path("changed.txt"), "small,random")
        away = {}
        for on_device in (False, True):
            results = self.measured(changed, "results.json", on_device=on_device)
            self.calibrate("--measured", results, "--suites", "small,random", "--cases", str(CASES), "--output",
                           self.path("found.txt"))
            found = self.efficiencies(self.path("found.txt"))
            away[on_device] = abs(found[name] / wanted - 1.0) if name in found else None
        self.assertIsNone(away[False])
        self.assertLess(away[True], 0.03)

    def test_outliers_count_little(self):
        data = self.predict("H200", "targets,medium")
        for p in data["predictions"][::10]:
            p["seconds"] *= 4.0
        report = self.calibrate("--measured", self.measured(data, "r.json"), "--suites", "targets,medium", "--output",
                                self.path("found.txt"))
        before = self.predict("H200", "targets,medium", "--sensitivities")["efficiencies"]
        ratios = sorted(abs(v / before[name] - 1.0) for name, v in self.efficiencies(self.path("found.txt")).items())
        self.assertLess(statistics.median(ratios or [0.0]), 0.05, report)

    def test_another_gpu_has_its_own_peaks(self):
        peaks = {"copy/deep_copy": ("GB/s", 1000.0), "copy/kernel": ("GB/s", 1100.0), "fma/float": ("TFLOP/s", 20.0),
                 "fma/double": ("TFLOP/s", 10.0), "mma/f16_m16n8k16": ("TFLOP/s", 300.0)}
        more = [{"name": "device_peaks/" + name, "run_name": "device_peaks/" + name, "run_type": "iteration", key: value}
                for name, (key, value) in peaks.items()]
        context = {"gpu": "Someone's GPU", "compute_capability": "9.1", "multiprocessors": "100", "l2_bytes": "50000000"}
        results = self.measured(self.predict("A100", "targets"), "r.json", context, more)
        self.calibrate("--measured", results, "--suites", "targets", "--output", self.path("found.txt"))
        with open(self.path("found.txt"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for line in ("name Someone's GPU", "bandwidth 1.1e+12", "float_rate 2e+13", "multiprocessors 100",
                     "compute_capability 9.1", "half_tensor 3e+14"):
            self.assertIn(line, lines)
        # The file is one that predictions take.
        self.assertEqual(self.predict(self.path("found.txt"), "model")["device"], "Someone's GPU")

    def failing(self, *arguments):
        done = subprocess.run([sys.executable, calibrate.__file__, *arguments], capture_output=True, text=True, check=False)
        self.assertNotIn("Traceback", done.stderr)
        self.assertLess(len(done.stderr), 1000)
        return done.returncode, done.stderr

    def test_bad_input_is_an_error_of_a_line(self):
        good = self.measured(self.predict("H200", "model"), "good.json")
        status, errors = self.failing(EXECUTABLE, "--measured", self.path("missing.json"))
        self.assertEqual(status, 2)
        for number, text in enumerate(["", "[]", "{", '{"benchmarks": 1}', '{"benchmarks": []}', '{"benchmarks": [{}]}',
                                       '{"context": {"gpu": "H200"}, "benchmarks": [{"name": "a/b/c/1x1/steps:x"}]}',
                                       '{"context": 3, "benchmarks": [{"name": "device_peaks/fma/float", "TFLOP/s": NaN}]}']):
            path = self.path(f"{number}.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assertEqual(self.failing(EXECUTABLE, "--measured", path)[0], 2, text)
        status, errors = self.failing(EXECUTABLE, "--measured", good, "--suites", "none")
        self.assertEqual((status, "no such suite" in errors), (2, True), errors)
        status, errors = self.failing(EXECUTABLE, "--measured", good, "--suites", "small")
        self.assertEqual((status, "no case was both" in errors), (2, True), errors)
        status, errors = self.failing(EXECUTABLE, "--measured", good, "--device", "K80")
        self.assertEqual((status, "no GPU named" in errors), (2, True), errors)
        with open(self.path("device.txt"), "w", encoding="utf-8") as file:
            file.write("name x\nefficiency a\n")
        status, errors = self.failing(EXECUTABLE, "--measured", good, "--device", self.path("device.txt"))
        self.assertEqual((status, "no name and number of an efficiency" in errors), (2, True), errors)
        status, errors = self.failing(EXECUTABLE, "--measured", good, "--suites", "model", "--output",
                                      self.path("missing/device.txt"))
        self.assertEqual(status, 2)
        self.assertEqual(self.failing(self.path("no_executable"), "--measured", good)[0], 2)


if __name__ == "__main__":
    unittest.main()
