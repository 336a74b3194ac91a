#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs and scripts with random command lines and files, most of them wrong.

    fuzz.py --program NAME=FILE... [--seed N] [--cases N] [--seconds S] [--case N] [--keep]

Whatever the input, a program has to end in time, without a signal, in bounded memory, with status 0, 1 or 2 and a
message if it is not 0; what it prints has no NaN; its JSON is JSON and its pictures are whole; where its output is
lost it fails; and files that it refuses stay as they were. The status is 1 if one did not. Case N of a seed is always
the same: --case repeats it alone, --keep leaves its folder.
"""

import argparse
import contextlib
import io
import json
import math
import os
import random
import re
import resource
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")
SECONDS, MEGABYTES = 20, 1500
POISON = ["nan", "-nan", "inf", "-inf", "1e300", "1e-300", "1e999", "-1", "-1e300", "", " ", "99999999999999999999",
          "-99999999999999999999", "9" * 400, "1.5.2", "0x", "1e", "+", "--", "one", "1 2", "%s%n", "\x1b[31m", "\u0661",
          "1,5", "2147483648", "-2147483649", "9223372036854775808", "1_0", "NaN(7)", "0/0"]


class Finding(Exception):
    """What must not happen."""


def require(condition, what):
    if not condition:
        raise Finding(what)


# --- Input ----------------------------------------------------------------------------------------


def mutate(rng, data, tokens=()):
    """Bytes like these, with some of them changed, left out, doubled, or replaced by a token."""
    data = bytearray(data)
    for _ in range(rng.choice([0, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(7)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice([1, 4, 100])))
        elif kind == 2:
            del data[at:at + rng.choice([1, 3, 50])]
        elif kind == 3:
            del data[at:]
        elif kind == 4:
            other = rng.randrange(len(data) + 1)
            data[at:at] = data[min(at, other):max(at, other)]
        elif kind == 5 and tokens:
            data[at:at] = rng.choice(tokens).encode()
        elif tokens:
            # In place of a number or a word.
            words = list(re.finditer(rb"[-+.\w]+", bytes(data)))
            if words:
                word = rng.choice(words)
                data[word.start():word.end()] = rng.choice(tokens).encode()
    return bytes(data[:1 << 22])


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(rng):
    """A PNG of some kind."""
    width, height = rng.randrange(1, 40), rng.randrange(1, 40)
    bits, kind = rng.choice([(8, 2), (8, 0), (16, 2), (8, 6), (1, 0), (4, 3), (16, 4), (8, 3), (2, 0)])
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    row = (width * bits * channels + 7) // 8
    body = b"".join(bytes([rng.randrange(5)]) + rng.randbytes(row) for _ in range(height))
    # Sizes that the data does not have.
    if rng.random() < 0.3:
        width = rng.choice([0, 1, 16384, 1 << 20, 1 << 28, (1 << 31) - 1, (1 << 32) - 1])
    if rng.random() < 0.3:
        height = rng.choice([0, 1, 16384, 1 << 20, 1 << 28, (1 << 31) - 1, (1 << 32) - 1])
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, rng.choice([0, 0, 0, 1]))
    palette = chunk(b"PLTE", rng.randbytes(3 * 256)) if kind == 3 and rng.random() < 0.9 else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + palette + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")


def pnm(rng):
    """A PGM or PPM, of bytes or of words."""
    kind, width, height = rng.choice("2356"), rng.randrange(1, 40), rng.randrange(1, 40)
    largest = rng.choice([1, 9, 255, 256, 65535])
    values = [rng.randrange(largest + 1) for _ in range(width * height * (3 if kind in "36" else 1))]
    if kind in "23":
        body = " ".join(map(str, values)).encode()
    else:
        body = b"".join(v.to_bytes(2 if largest > 255 else 1, "big") for v in values)
    size = [width, height] if rng.random() < 0.6 else [rng.choice([0, 1, 16384, 1 << 20, 1 << 31, 10**20]), height]
    return f"P{kind}\n# made by fuzz.py\n{size[0]} {size[1]}\n{largest}\n".encode() + body


def checksum(text):
    h = 0xcbf29ce484222325
    for byte in text:
        h = ((h ^ byte) * 0x100000001b3) % (1 << 64)
    return f"{h:016x}".encode()


def tuning_file(rng, head):
    """A tuning file; the checksums of most lines are right, whatever they say."""
    lines = []
    for number in range(rng.randrange(6)):
        words = [f"problem {number}", "generic", str(rng.randrange(1, 9)), f"{rng.random():.6g}"]
        if rng.random() < 0.5:
            words[rng.randrange(4)] = rng.choice(POISON)
        line = "\t".join(words).encode()
        lines.append(line + b"\t" + (checksum(line) if rng.random() < 0.8 else b"0123456789abcdef"))
    return b"\n".join([head] + lines) + (b"\n" if rng.random() < 0.9 else b"")


def results(rng):
    """A result file of the benchmarks."""
    benchmarks = [{"name": f"device_peaks/{k}", "GB/s": 4e3} for k in ("copy/kernel", "fma/float")]
    for _ in range(rng.randrange(8)):
        name = "/".join([rng.choice(["box-2d1r", "star-3d2r", "heat-2d-5point"]), rng.choice(["half", "float", "double"]),
                         rng.choice(["auto", "generic", "cudnn", "kokkos_mdrange_best"]),
                         rng.choice(["64x64", "128x128", "64x64x64", "7"]), f"steps:{rng.choice([1, 8])}"])
        benchmarks.append({"name": name, "run_name": name, "run_type": "iteration", "real_time": rng.random() * 100,
                           "time_unit": rng.choice(["ns", "us", "ms", "s"]), "label": "generic", "GStencil/s": 10.0,
                           "GB/s": 80.0, "copy_fraction": 0.9, "ceiling_fraction": 0.8, "terms": 9, "plan_us": 20.0})
    return json.dumps({"context": {"gpu": "some"}, "benchmarks": benchmarks}, indent=1).encode()


def predictions(rng):
    rows = [{"name": f"box-2d1r/float/{b}/64x64/steps:1", "depth": 1, "seconds": rng.random(), "flop": 18, "bytes": 8,
             "unit": "cores", "ceiling": "memory", "fraction": 0.9, "chosen": True} for b in ("generic", "cuda_direct")]
    return json.dumps({"device": "some", "predictions": rows}, indent=1).encode()


# --- Running --------------------------------------------------------------------------------------


class Case:
    """One case: its random numbers, its folder, and how to run a program in it."""

    def __init__(self, options, number):
        self.options, self.number = options, number
        self.rng = random.Random(f"{options.seed}:{number}")
        self.folder = tempfile.mkdtemp(prefix="kokkosstencil-fuzz-")
        self.command = []

    def path(self, name, data=None):
        path = os.path.join(self.folder, name)
        if data is not None:
            with open(path, "wb") as file:
                file.write(data)
        return path

    def value(self, good, poison=0.15):
        """One of the good values as text, at times none of them."""
        return self.rng.choice(POISON) if self.rng.random() < poison else str(self.rng.choice(good))

    def arguments(self, table, always=()):
        """Options of a table {name: values}; an empty list of values is a flag."""
        found = []
        for name, good in table.items():
            if name not in always and self.rng.random() < 0.6:
                continue
            if not good:
                found.append(name)
            elif self.rng.random() < 0.5:
                found.append(f"{name}={self.value(good)}")
            else:
                found += [name, self.value(good)]
        if self.rng.random() < 0.05:
            found.insert(self.rng.randrange(len(found) + 1), self.rng.choice(["--colour", "stray", "-", "--", "-x", "=", "\n"]))
        return [a.replace("\0", "") for a in found]

    def run(self, name, arguments, lost=None):
        """Runs a program; returns its status, output and errors. `lost` is where the output goes: full or closed."""
        self.command = [self.options.programs[name], *arguments]

        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if not self.options.no_limit:
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

        environment = dict(os.environ, OMP_NUM_THREADS="2", OMP_PROC_BIND="false")
        errors = open(self.path("stderr"), "w+b")
        if lost == "closed":
            reader, writer = os.pipe()
            os.close(reader)
            output = os.fdopen(writer, "wb")
        else:
            output = open("/dev/full" if lost == "full" else self.path("stdout"), "wb")
        with errors, output:
            process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                       cwd=self.folder, preexec_fn=limit, env=environment,
                                       restore_signals=self.rng.random() < 0.5)
            end = time.monotonic() + SECONDS
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() > end:
                    process.kill()
                    os.wait4(process.pid, 0)
                    process.returncode = -9
                    raise Finding(f"does not end within {SECONDS} s")
                time.sleep(0.002)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            said = errors.read()
        printed = b""
        if lost is None:
            with open(self.path("stdout"), "rb") as file:
                printed = file.read()
        status = process.returncode
        require(usage.ru_maxrss < MEGABYTES * 1024 or self.options.no_limit, f"took {usage.ru_maxrss // 1024} MB")
        if lost == "closed" and status == -13:
            return 1, printed, said  # ended by SIGPIPE, as programs are
        require(status in (0, 1, 2), f"status {status}")
        require(status == 0 or said.strip(), "fails without a word")
        require(len(said) < 20000, f"says {len(said)} bytes")
        for word in (b"Traceback", b"terminate called", b"AddressSanitizer", b"runtime error:", b"LeakSanitizer"):
            require(word not in said, word.decode())
        if lost is not None and status == 0:  # some print nothing
            _, kept, _ = self.run(name, arguments)
            require(not kept, "does not notice that its output is lost")
            return status, printed, said
        if status == 0:
            # Names of files may hold any word, and errors of libpng those of a file.
            numbers = [line for line in printed.splitlines() if not line.startswith((b"picture", b"frames", b"refused"))]
            require(not any(re.search(rb"(?<![\w-])-?(nan|inf)(?![\w-])", line) for line in numbers), "prints nan or inf")
        return status, printed, said

    def check_picture(self, path):
        with open(path, "rb") as file:
            data = file.read()
        require(data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(chunk(b"IEND", b"")), f"{path} is no whole PNG")

    def lost(self):
        """Where the output of this run goes, mostly to a file."""
        draw = self.rng.random()
        return "full" if draw < 0.04 and os.path.exists("/dev/full") else "closed" if draw < 0.08 else None

    def check_folder(self):
        for folder, _, files in os.walk(self.folder):
            for name in files:
                require(not name.endswith(".tmp"), f"leaves {os.path.join(folder, name)}")


# --- What is run ----------------------------------------------------------------------------------


def explain(case):
    rng = case.rng
    rank = rng.randrange(1, 4)
    corner = ",".join(["0"] * rank)
    far = ",".join(case.value([-1, 0, 1, 2, 40], 0.05) for _ in range(rank))
    table = {
        "--rank": [rank], "--shape": ["star", "box"], "--radius": [1, 2, 3, 7], "--terms": [f"{corner} {far}", far, "0"],
        "--type": ["float", "double", "half", "bhalf"], "--extents": ["x".join(["64"] * rank), "1", "0x0", "512x512"],
        "--steps": [1, 3, 24, 10**9], "--accuracy": ["native", "relaxed", "reproducible"],
        "--device": ["H200", "A100", "L40S", "device.txt", ".", "/dev/null", "missing"],
        "--backend": ["generic", "cuda_direct", "cuda_temporal", "cuda_resident", "cuda_sparse_tensor", "cuda_tensor_double"],
        "--plot": ["picture.png"], "--json": [], "--list-devices": [], "--print-device": [], "--version": [], "--help": [],
    }
    for name in ("--list-devices", "--print-device", "--version", "--help"):
        if rng.random() < 0.8:
            del table[name]
    text = subprocess.run([case.options.programs["kokkosstencil_explain"], "--print-device"], capture_output=True,
                          check=True).stdout
    case.path("device.txt", mutate(rng, text, POISON + ["#", "\n", "bandwidth", "name"]))
    if rng.random() < 0.5:
        table = {"--device": ["device.txt"], **{k: v for k, v in table.items() if k != "--device"}}
    target = case.path("picture.png", b"a picture of before")
    arguments = case.arguments(table, ("--rank",))
    lost = case.lost()
    status, printed, _ = case.run("kokkosstencil_explain", arguments, lost)
    with open(target, "rb") as file:
        after = file.read()
    if after != b"a picture of before":
        require(status == 0 or lost, "replaces a picture and fails")
        case.check_picture(target)
    elif any(a.startswith("--plot") for a in arguments) and "picture.png" in " ".join(arguments):
        require(status != 0 or any(a in arguments for a in ("--list-devices", "--print-device", "--version", "--help")),
                "draws nothing")
    quiet = ("--list-devices", "--print-device", "--version", "--help")
    if status == 0 and not lost and "--json" in arguments and not any(a in arguments for a in quiet):
        candidates = json.loads(printed.decode(), parse_constant=lambda name: require(False, f"{name} in JSON"))
        require(sum(c["chosen"] for c in candidates) == 1, "chooses none or several")


EXAMPLES = {
    "heat_diffusion": ({"--nx": [8, 9, 24], "--ny": [8, 31], "--steps": [1, 50], "--tolerance": [1e-3, 1, 1000],
                        "--check-every": [1, 7, 10**12], "--input": ["input.png", "input.pgm", "missing", ".", "/dev/zero"]},
                       ("--nx", "--ny", "--steps")),
    "image_filter": ({"--width": [16, 50], "--height": [16, 33], "--filter": ["blur", "sobel,laplace", "sharpen,"],
                      "--radius": [1, 4, 32], "--strength": [0, 1.5, 100], "--repeat": [1, 2], "--sample": []},
                     ("--width", "--height", "--repeat")),
    "gray_scott": ({"--nx": [8, 33], "--ny": [8, 40], "--steps": [1, 30], "--frames": [0, 1, 5, 40],
                    "--pattern": ["coral", "maze", "mitosis", "map"], "--seed": [0, 1000000]},
                   ("--nx", "--ny", "--steps", "--frames")),
    "acoustic_wave": ({"--nx": [16, 20], "--ny": [16], "--nz": [16, 30], "--spacing": [0.01, 10, 1000],
                       "--frequency": [0.01, 15, 1e5], "--duration": [1e-6, 0.0005]},
                      ("--nx", "--ny", "--nz", "--duration")),
    "circuit_board": ({"--nx": [8, 33], "--ny": [8, 20], "--steps": [1, 40], "--tolerance": [1e-14, 1e-6, 0.5],
                       "--input": ["input.png", "input.pgm", "missing", ".", "/dev/zero"]}, ("--nx", "--ny", "--steps")),
}


def examples(case):
    rng = case.rng
    name = rng.choice([n for n in EXAMPLES if n in case.options.programs])
    table, always = EXAMPLES[name]
    arguments = case.arguments({**table, "--backend": ["generic", "cuda_direct"], "--output": ["out", ".", "taken"]}, always)
    if name == "image_filter" and rng.random() < 0.5:
        arguments.append(rng.choice(["input.png", "input.pgm"]))
    case.path("input.png", mutate(rng, png(rng)))
    case.path("input.pgm", mutate(rng, pnm(rng), POISON))
    case.path("taken", b"")
    status, _, _ = case.run(name, arguments, case.lost())
    if status == 0:
        for folder, _, files in os.walk(case.folder):
            for file in files:
                if file.endswith(".png") and file != "input.png":
                    case.check_picture(os.path.join(folder, file))


def pictures(case):
    files = [case.path(f"{k}.picture", mutate(case.rng, case.rng.choice([png, pnm])(case.rng), POISON)) for k in range(40)]
    _, printed, _ = case.run("read_files", ["picture", *files])
    require(len(printed.splitlines()) == len(files), "does not answer for each file")
    for path in files:
        if os.path.exists(path + ".out.png"):
            case.check_picture(path + ".out.png")


def tuning(case):
    rng = case.rng
    first = case.path("first")
    case.run("read_files", ["tuning", first])
    with open(first, "rb") as file:
        head = file.read().split(b"\n")[0]
    before = {}
    for k in range(40):
        data = tuning_file(rng, head)
        data = mutate(rng, data, POISON) if rng.random() < 0.5 else data
        before[case.path(f"{k}.winners", data)] = data
    _, printed, _ = case.run("read_files", ["tuning", *before])
    require(len(printed.splitlines()) == len(before), "does not answer for each file")
    for path, old in before.items():
        with open(path, "rb") as file:
            new = file.read()
        if new == old:
            require(not old.startswith(head + b"\n") and old, f"adds nothing to {path}")
            continue
        require(new.startswith(head + b"\n") and new.endswith(b"\n"), f"spoils {path}")
        for line in new.split(b"\n")[1:-1]:
            text, _, sum_ = line.rpartition(b"\t")
            require(checksum(text) == sum_, f"writes a damaged line to {path}")


def benchmarks(case):
    table = {"--suite": ["smoke", "model", "nothing", "smoke,,model"], "--space": ["host", "default", "moon"],
             "--candidates": ["generic", "none,"], "--samples": [1, 7], "--sample_ms": [0.1, 4], "--table": [],
             "--benchmark_filter": ["generic", "(", "star"], "--predict": ["H200", "A100", "x"]}
    case.run("KokkosStencil_benchmarks", case.arguments(table, ("--samples",)) + ["--benchmark_list_tests=true"],
             case.lost())


def scripts(case):
    """In this process: what a script may raise is caught by its run()."""
    rng = case.rng
    module, arguments = rng.choice([
        ("compare_benchmarks", [case.path("a.json", mutate(rng, results(rng), POISON)), case.path("b.json", results(rng))]),
        ("compare_benchmarks", [case.path("a.json", mutate(rng, results(rng), POISON)), "--pair", "auto", "generic"]),
        ("compare_model", [case.path("a.json", mutate(rng, predictions(rng), POISON)),
                           case.path("b.json", mutate(rng, results(rng), POISON))]),
    ])
    if module == "compare_benchmarks":
        table = {"--worst": [0.5, 0.95], "--mean": [0.9], "--metric": ["GB/s", "name"], "--filter": ["box", "("], "--brief": []}
        arguments += case.arguments(table)
    else:
        arguments += case.arguments({"--model": [], "--all": [], "--fit": []})
    case.command = [module + ".py", *arguments]
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = __import__(module).main(arguments)
        require(status in (0, 1, 2), f"status {status}")
        require(not re.search(r"(?<![\w/])-?(nan|inf)(?![\w/])", output.getvalue()), "prints nan or inf")
    except SystemExit as end:
        require(end.code in (0, 2), f"status {end.code}")
    except (OSError, ValueError):
        pass


KINDS = [(explain, 45), (examples, 20), (pictures, 10), (tuning, 8), (benchmarks, 4), (scripts, 13)]
NEEDS = {explain: ["kokkosstencil_explain"], examples: EXAMPLES, pictures: ["read_files"], tuning: ["read_files"],
         benchmarks: ["KokkosStencil_benchmarks"], scripts: []}


def run_case(options, number):
    """Runs a case; what it found, or None."""
    case = Case(options, number)
    kinds = [(k, w) for k, w in KINDS if not NEEDS[k] or any(p in options.programs for p in NEEDS[k])]
    kind = case.rng.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
    keep = options.keep
    try:
        kind(case)
        case.check_folder()
        return kind.__name__, None
    except Exception as error:  # pylint: disable=broad-except
        keep = True
        what = str(error) if isinstance(error, Finding) else f"{type(error).__name__}: {error}"
        return kind.__name__, f"case {number}: {what}\n  cd {case.folder}\n  {shlex.join(case.command)}"
    finally:
        if not keep:
            shutil.rmtree(case.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=None, metavar="N", help="at most so many")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="at most so long (20)")
    parser.add_argument("--case", type=int, metavar="N", help="only this one")
    parser.add_argument("--keep", action="store_true", help="leave the folders")
    parser.add_argument("--no-limit", action="store_true", help="no limits of memory, for sanitizers and GPUs")
    options = parser.parse_args()
    if not 0 < options.seconds <= 1e6 or (options.cases is not None and options.cases < 1):
        parser.error("--seconds and --cases: positive numbers are expected")
    options.programs = {name: os.path.abspath(path) for name, path in (p.split("=", 1) for p in options.program)}
    sys.path.insert(0, SCRIPTS)

    start, done, findings = time.monotonic(), {}, 0
    numbers = [options.case] if options.case is not None else range(options.cases or sys.maxsize)
    for number in numbers:
        if time.monotonic() - start > options.seconds and options.case is None:
            break
        kind, finding = run_case(options, number)
        done[kind] = done.get(kind, 0) + 1
        if finding:
            findings += 1
            print(f"{kind}, seed {options.seed}, {finding}", flush=True)
            if findings >= 20:
                break
    counts = ", ".join(f"{n} of {kind}" for kind, n in sorted(done.items()))
    print(f"{sum(done.values())} cases in {time.monotonic() - start:.0f} s ({counts}): {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
