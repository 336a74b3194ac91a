#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the catalogue of stencil kernels, kernels.txt, from definitions in exact arithmetic.

    generate.py > kernels.txt      write it
    generate.py --check FILE       exit with 1 if FILE is not what would be written
"""

import argparse
import itertools
import math
import sys
from fractions import Fraction as F

DOMAINS = {
    "pde": "PDE solvers",
    "fluid": "fluid dynamics",
    "lbm": "lattice Boltzmann",
    "phase": "phase field",
    "geo": "geophysics and seismics",
    "image": "image processing",
    "em": "electromagnetics",
    "weather": "weather and climate",
    "fd": "high-order finite differences",
}

KERNELS = []


# Stencils are dictionaries from offset tuples to coefficients.


def add(*stencils):
    total = {}
    for s in stencils:
        for o, c in s.items():
            total[o] = total.get(o, 0) + c
    return {o: c for o, c in total.items() if c != 0}


def scale(factor, s):
    return {o: factor * c for o, c in s.items() if factor * c != 0}


def compose(a, b):
    total = {}
    for oa, ca in a.items():
        for ob, cb in b.items():
            o = tuple(x + y for x, y in zip(oa, ob))
            total[o] = total.get(o, 0) + ca * cb
    return {o: c for o, c in total.items() if c != 0}


def identity(rank):
    return {(0,) * rank: F(1)}


def along(axis, rank, line):
    """A 1-D stencil (offset -> coefficient) along one axis."""
    return {tuple(d if a == axis else 0 for a in range(rank)): c for d, c in line.items() if c != 0}


def product(*lines):
    """Outer product of 1-D stencils, one an axis."""
    total = {}
    for offsets in itertools.product(*[sorted(line) for line in lines]):
        c = 1
        for line, o in zip(lines, offsets):
            c *= line[o]
        if c != 0:
            total[offsets] = c
    return total


def table(rows):
    """A 2-D stencil from a centred table of numbers."""
    r = len(rows) // 2
    return {(i - r, j - r): F(c) for i, row in enumerate(rows) for j, c in enumerate(row) if c != 0}


def fd(points, derivative, at=F(0)):
    """Finite-difference weights of a derivative on given points: exact for polynomials (Vandermonde)."""
    n = len(points)
    matrix = [[(F(p) - at) ** k for p in points] + [F(math.factorial(derivative)) if k == derivative else F(0)]
              for k in range(n)]
    for col in range(n):
        pivot = next(r for r in range(col, n) if matrix[r][col] != 0)
        matrix[col], matrix[pivot] = matrix[pivot], matrix[col]
        matrix[col] = [x / matrix[col][col] for x in matrix[col]]
        for r in range(n):
            if r != col and matrix[r][col] != 0:
                factor = matrix[r][col]
                matrix[r] = [x - factor * y for x, y in zip(matrix[r], matrix[col])]
    return {int(p): matrix[k][n] for k, p in enumerate(points)}


def central(derivative, order):
    """Central difference of given accuracy on unit spacing."""
    r = (derivative + 1) // 2 + order // 2 - 1
    return {d: c for d, c in fd(list(range(-r, r + 1)), derivative).items() if c != 0}


def laplacian(rank, order):
    return add(*[along(a, rank, central(2, order)) for a in range(rank)])


def lap_operator(rank, factor=F(1)):
    return {tuple(2 if b == a else 0 for b in range(rank)): factor for a in range(rank)}


def biharmonic_operator(rank, factor=F(1)):
    op = {}
    for a in range(rank):
        op[tuple(4 if b == a else 0 for b in range(rank))] = factor
        for b in range(a + 1, rank):
            op[tuple(2 if k in (a, b) else 0 for k in range(rank))] = 2 * factor
    return op


def lap9():
    """Nine-point Laplacian, isotropic to leading order (Mehrstellen)."""
    return scale(F(1, 6), table([[1, 4, 1], [4, -20, 4], [1, 4, 1]]))


def lap19():
    """Nineteen-point Laplacian in 3-D: faces 2/6, edges 1/6."""
    s = {}
    for o in itertools.product((-1, 0, 1), repeat=3):
        n = sum(map(abs, o))
        if n == 0:
            s[o] = F(-24, 6)
        elif n == 1:
            s[o] = F(2, 6)
        elif n == 2:
            s[o] = F(1, 6)
    return s


def lap27():
    """27-point Laplacian in 3-D: faces 14/30, edges 3/30, corners 1/30, isotropic to fourth order."""
    weight = {0: F(-128, 30), 1: F(14, 30), 2: F(3, 30), 3: F(1, 30)}
    return {o: weight[sum(map(abs, o))] for o in itertools.product((-1, 0, 1), repeat=3)}


def kernel(name, domain, source, stencil, operator=None, degree=None):
    """operator: {powers of d/dx: factor}; the stencil is exact for polynomials up to `degree`."""
    rank = len(next(iter(stencil)))
    if operator is not None:
        check(name, rank, stencil, operator, degree)
    KERNELS.append((name, DOMAINS[domain], source, rank, stencil, operator, degree))


def check(name, rank, stencil, operator, degree):
    for powers in itertools.product(range(degree + 1), repeat=rank):
        if sum(powers) > degree:
            continue
        moment = sum(c * math.prod(F(o) ** p for o, p in zip(offset, powers)) for offset, c in stencil.items())
        expected = operator.get(powers, F(0)) * math.prod(math.factorial(p) for p in powers)
        if abs(moment - expected) > F(1, 10**7):
            sys.exit(f"{name}: moment {powers} is {float(moment)}, expected {float(expected)}")


def step(rank, *parts):
    return add(identity(rank), *parts)


def operator_sum(*operators):
    total = {}
    for op in operators:
        for powers, c in op.items():
            total[powers] = total.get(powers, F(0)) + c
    return {p: c for p, c in total.items() if c != 0}


def one(rank):
    return {(0,) * rank: F(1)}


def gaussian(radius, sigma, rank=2):
    line = [math.exp(-d * d / (2 * sigma * sigma)) for d in range(-radius, radius + 1)]
    total = sum(line)
    return short(product(*[{d - radius: F(c / total) for d, c in enumerate(line)}] * rank))


def short(s):
    """Ten significant decimals, so that the file does not depend on a mathematical library."""
    return {o: F(f"{float(c):.10g}") for o, c in s.items()}


def laplacian_of_gaussian(radius, sigma):
    values = {}
    for i, j in itertools.product(range(-radius, radius + 1), repeat=2):
        q = (i * i + j * j) / (2 * sigma * sigma)
        values[(i, j)] = -(1 - q) * math.exp(-q) / (math.pi * sigma**4)
    # The continuous kernel integrates to zero; make the sampled one do so too.
    mean = sum(values.values()) / len(values)
    return short({o: c - mean for o, c in values.items()})


def gabor(radius, sigma, wavelength):
    values = {}
    for i, j in itertools.product(range(-radius, radius + 1), repeat=2):
        values[(i, j)] = math.exp(-(i * i + j * j) / (2 * sigma * sigma)) * math.cos(2 * math.pi * j / wavelength)
    return short({o: c for o, c in values.items() if c != 0})


def lattice(weights, rank, velocity=None):
    """sum over directions of w (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2) rho(x - c): BGK with relaxation time 1."""
    s = {}
    for c in itertools.product((-1, 0, 1), repeat=rank):
        n = sum(map(abs, c))
        if n not in weights:
            continue
        w = weights[n]
        if velocity is not None:
            cu = sum(F(a) * b for a, b in zip(c, velocity))
            uu = sum(b * b for b in velocity)
            w = w * (1 + 3 * cu + F(9, 2) * cu * cu - F(3, 2) * uu)
        s[tuple(-a for a in c)] = w
    return {o: w for o, w in s.items() if w != 0}


def isotropic_gradient(weights, radius):
    """sum of w(|c|^2) c_x f(x + c): the pseudopotential force of a lattice Boltzmann method."""
    s = {}
    for c in itertools.product(range(-radius, radius + 1), repeat=2):
        w = weights.get(c[0] ** 2 + c[1] ** 2)
        if w is not None and c[1] != 0:
            s[c] = w * c[1]
    return s


def shapiro(order):
    """Shapiro filter of even order 2n: 1 - (-1)^n (d/2)^2n, d the centred half-step difference."""
    n = order // 2
    d2 = {-1: F(1, 4), 0: F(-1, 2), 1: F(1, 4)}
    power = {(0,): F(1)}
    for _ in range(n):
        power = compose(power, {(o,): c for o, c in d2.items()})
    return add(identity(1), scale(F(-1) if n % 2 == 0 else F(1), power))


def lagrange(points, x):
    return fd(points, 0, x)


def upwind(points, courant):
    """One explicit step of u_t + u_x = 0 with a biased derivative."""
    return step(1, scale(-courant, along(0, 1, fd(points, 1))))


def pde():
    d = "pde"
    kernel("heat-1d-3point", d, "forward Euler step of u_t = u_xx, ratio 1/4, second order",
           step(1, scale(F(1, 4), laplacian(1, 2))), operator_sum(one(1), lap_operator(1, F(1, 4))), 3)
    kernel("heat-1d-5point", d, "forward Euler step of u_t = u_xx, ratio 1/4, fourth order",
           step(1, scale(F(1, 4), laplacian(1, 4))), operator_sum(one(1), lap_operator(1, F(1, 4))), 5)
    kernel("heat-2d-5point", d, "forward Euler step of u_t = div grad u, ratio 1/8",
           step(2, scale(F(1, 8), laplacian(2, 2))), operator_sum(one(2), lap_operator(2, F(1, 8))), 3)
    kernel("heat-2d-9point", d, "forward Euler step with the Mehrstellen Laplacian, ratio 1/8",
           step(2, scale(F(1, 8), lap9())), operator_sum(one(2), lap_operator(2, F(1, 8))), 3)
    kernel("heat-2d-13point", d, "forward Euler step, sixth-order Laplacian, ratio 1/16",
           step(2, scale(F(1, 16), laplacian(2, 6))), operator_sum(one(2), lap_operator(2, F(1, 16))), 7)
    kernel("heat-3d-7point", d, "forward Euler step of u_t = div grad u, ratio 1/8",
           step(3, scale(F(1, 8), laplacian(3, 2))), operator_sum(one(3), lap_operator(3, F(1, 8))), 3)
    kernel("heat-3d-27point", d, "forward Euler step with the isotropic 27-point Laplacian, ratio 1/8",
           step(3, scale(F(1, 8), lap27())), operator_sum(one(3), lap_operator(3, F(1, 8))), 3)
    kernel("jacobi-2d-5point", d, "Jacobi sweep for Laplace's equation: mean of the four neighbours",
           add(identity(2), scale(F(1, 4), laplacian(2, 2))), operator_sum(one(2), lap_operator(2, F(1, 4))), 3)
    kernel("jacobi-3d-7point", d, "Jacobi sweep for Laplace's equation: mean of the six neighbours",
           add(identity(3), scale(F(1, 6), laplacian(3, 2))), operator_sum(one(3), lap_operator(3, F(1, 6))), 3)
    kernel("poisson-2d-mehrstellen", d, "nine-point compact Laplacian of Collatz", lap9(), lap_operator(2), 3)
    kernel("poisson-3d-19point", d, "nineteen-point compact Laplacian", lap19(), lap_operator(3), 3)
    kernel("poisson-3d-27point", d, "27-point compact Laplacian", lap27(), lap_operator(3), 3)
    kernel("helmholtz-2d-9point", d, "Mehrstellen Laplacian plus k^2, k h = 1/2",
           add(lap9(), scale(F(1, 4), identity(2))), operator_sum(lap_operator(2), scale(F(1, 4), one(2))), 3)
    half = {-1: F(1, 4), 0: F(1, 2), 1: F(1, 4)}
    kernel("multigrid-restriction-2d", d, "full weighting", product(half, half), one(2), 1)
    kernel("multigrid-restriction-3d", d, "full weighting", product(half, half, half), one(3), 1)
    first, second = central(1, 2), central(2, 2)
    kernel("anisotropic-diffusion-2d", d, "u_xx + u_xy + u_yy with the cross derivative on the corners",
           add(laplacian(2, 2), product(first, first)), operator_sum(lap_operator(2), {(1, 1): F(1)}), 3)
    kernel("convection-diffusion-2d", d, "upwind convection (1, 1/2) and diffusion 1/10 as one operator",
           add(scale(F(1, 10), laplacian(2, 2)), scale(F(-1), along(0, 2, fd([-1, 0], 1))),
               scale(F(-1, 2), along(1, 2, fd([-1, 0], 1)))),
           {(1, 0): F(-1), (0, 1): F(-1, 2)}, 1)
    kernel("biharmonic-2d-13point", d, "plate bending: five-point Laplacian twice",
           compose(laplacian(2, 2), laplacian(2, 2)), biharmonic_operator(2), 5)


def fluid():
    d = "fluid"
    c = F(1, 2)
    kernel("advection-upwind1-1d", d, "first-order upwind step, Courant number 1/2", upwind([-1, 0], c),
           {(0,): F(1), (1,): -c}, 1)
    kernel("advection-upwind3-1d", d, "third-order upwind-biased step, Courant number 1/2", upwind([-2, -1, 0, 1], c),
           {(0,): F(1), (1,): -c}, 3)
    kernel("advection-upwind5-1d", d, "fifth-order upwind-biased step, Courant number 1/2",
           upwind([-3, -2, -1, 0, 1, 2], c), {(0,): F(1), (1,): -c}, 5)
    lax = {-1: c * (1 + c) / 2, 0: 1 - c * c, 1: -c * (1 - c) / 2}
    kernel("advection-lax-wendroff-1d", d, "Lax and Wendroff, Courant number 1/2", along(0, 1, lax),
           {(0,): F(1), (1,): -c, (2,): c * c / 2}, 2)
    beam = {-2: c * (c - 1) / 2, -1: c * (2 - c), 0: (1 - c) * (2 - c) / 2}
    kernel("advection-beam-warming-1d", d, "Beam and Warming, Courant number 1/2", along(0, 1, beam),
           {(0,): F(1), (1,): -c, (2,): c * c / 2}, 2)
    fromm = {o: (lax.get(o, 0) + beam.get(o, 0)) / 2 for o in (-2, -1, 0, 1)}
    kernel("advection-fromm-1d", d, "Fromm: mean of Lax-Wendroff and Beam-Warming", along(0, 1, fromm),
           {(0,): F(1), (1,): -c, (2,): c * c / 2}, 2)
    kernel("advection-lax-wendroff-2d", d, "dimension-by-dimension Lax-Wendroff, Courant numbers 1/2",
           product(lax, lax),
           {(0, 0): F(1), (1, 0): -c, (0, 1): -c, (2, 0): c * c / 2, (0, 2): c * c / 2, (1, 1): c * c}, 2)
    kernel("divergence-2d-5point", d, "u_x of a collocated grid, fourth order", along(0, 2, central(1, 4)),
           {(1, 0): F(1)}, 4)
    kernel("pressure-poisson-2d-wide", d, "divergence of the central gradient: Laplacian on every second point",
           add(*[compose(along(a, 2, central(1, 2)), along(a, 2, central(1, 2))) for a in range(2)]),
           lap_operator(2), 3)
    kernel("artificial-dissipation-2d", d, "Jameson's fourth-difference dissipation, factor -1/64",
           scale(F(-1, 64), add(*[along(a, 2, central(4, 2)) for a in range(2)])),
           {(4, 0): F(-1, 64), (0, 4): F(-1, 64)}, 5)
    kernel("vorticity-3d-order4", d, "u_z of the vorticity, fourth order", along(2, 3, central(1, 4)),
           {(0, 0, 1): F(1)}, 4)
    test = {-1: F(1, 6), 0: F(2, 3), 1: F(1, 6)}
    kernel("les-test-filter-3d", d, "Simpson test filter of large-eddy simulation", product(test, test, test),
           one(3), 1)
    face = lagrange([-1, 0, 1, 2], F(1, 2))
    kernel("face-interpolation-2d", d, "fourth-order interpolation to a corner of the cell", product(face, face),
           {(0, 0): F(1), (1, 0): F(1, 2), (0, 1): F(1, 2), (1, 1): F(1, 4)}, 1)
    kernel("viscous-3d-order4", d, "viscous step, fourth-order Laplacian, factor 1/16",
           step(3, scale(F(1, 16), laplacian(3, 4))), operator_sum(one(3), lap_operator(3, F(1, 16))), 5)


def lbm():
    d = "lbm"
    d1q3 = {0: F(2, 3), 1: F(1, 6)}
    d2q5 = {0: F(1, 3), 1: F(1, 6)}
    d2q9 = {0: F(4, 9), 1: F(1, 9), 2: F(1, 36)}
    d3q7 = {0: F(1, 4), 1: F(1, 8)}
    d3q15 = {0: F(2, 9), 1: F(1, 9), 3: F(1, 72)}
    d3q19 = {0: F(1, 3), 1: F(1, 18), 2: F(1, 36)}
    d3q27 = {0: F(8, 27), 1: F(2, 27), 2: F(1, 54), 3: F(1, 216)}
    text = "streaming and BGK collision at relaxation time 1, collapsed to the density: "

    def diffusion(name, weights, rank, speed2):
        kernel(name, d, text + "fluid at rest", lattice(weights, rank),
               operator_sum(one(rank), lap_operator(rank, speed2 / 2)), 3)

    diffusion("lbm-d1q3", d1q3, 1, F(1, 3))
    diffusion("lbm-d2q5", d2q5, 2, F(1, 3))
    diffusion("lbm-d2q9", d2q9, 2, F(1, 3))
    diffusion("lbm-d3q7", d3q7, 3, F(1, 4))
    diffusion("lbm-d3q15", d3q15, 3, F(1, 3))
    diffusion("lbm-d3q19", d3q19, 3, F(1, 3))
    diffusion("lbm-d3q27", d3q27, 3, F(1, 3))

    def moving(name, weights, rank, velocity):
        operator = one(rank)
        for a in range(rank):
            operator[tuple(1 if b == a else 0 for b in range(rank))] = -velocity[a]
        kernel(name, d, text + "uniform flow", lattice(weights, rank, velocity), operator, 1)

    moving("lbm-d2q9-flow", d2q9, 2, (F(1, 10), F(1, 20)))
    moving("lbm-d3q19-flow", d3q19, 3, (F(1, 10), F(1, 20), F(-1, 20)))
    moving("lbm-d3q27-flow", d3q27, 3, (F(1, 10), F(1, 20), F(-1, 20)))
    e4 = {1: F(1, 3), 2: F(1, 12)}
    e6 = {1: F(4, 15), 2: F(1, 10), 4: F(1, 120)}
    e8 = {1: F(4, 21), 2: F(4, 45), 4: F(1, 60), 5: F(2, 315), 8: F(1, 5040)}
    force = "pseudopotential force, isotropic to order "
    kernel("lbm-force-e4", d, force + "4", isotropic_gradient(e4, 1), {(0, 1): F(1)}, 2)
    kernel("lbm-force-e6", d, force + "6", isotropic_gradient(e6, 2), {(0, 1): F(1)}, 2)
    kernel("lbm-force-e8", d, force + "8", isotropic_gradient(e8, 2), {(0, 1): F(1)}, 2)
    lap = scale(F(6), add(lattice(d2q9, 2), scale(F(-1), identity(2))))
    kernel("lbm-laplacian-d2q9", d, "Laplacian from the lattice's weights, for free-energy models", lap,
           lap_operator(2), 3)


def phase():
    d = "phase"
    l2, l3 = laplacian(2, 2), laplacian(3, 2)
    kernel("cahn-hilliard-2d-13point", d, "biharmonic term, five-point Laplacian twice", compose(l2, l2),
           biharmonic_operator(2), 5)
    kernel("cahn-hilliard-2d-25point", d, "biharmonic term, isotropic nine-point Laplacian twice",
           compose(lap9(), lap9()), biharmonic_operator(2), 5)
    kernel("cahn-hilliard-3d-25point", d, "biharmonic term, seven-point Laplacian twice", compose(l3, l3),
           biharmonic_operator(3), 5)
    kernel("cahn-hilliard-3d-125point", d, "biharmonic term, isotropic 27-point Laplacian twice",
           compose(lap27(), lap27()), biharmonic_operator(3), 5)
    linear = step(2, scale(F(-1, 40), l2), scale(F(-1, 80), compose(l2, l2)))
    kernel("cahn-hilliard-2d-step", d, "explicit step of u_t = -lap u - 1/2 lap lap u, ratio 1/40", linear,
           operator_sum(one(2), lap_operator(2, F(-1, 40)), biharmonic_operator(2, F(-1, 80))), 3)
    kernel("allen-cahn-2d-9point", d, "isotropic diffusion step, ratio 1/10", step(2, scale(F(1, 10), lap9())),
           operator_sum(one(2), lap_operator(2, F(1, 10))), 3)
    kernel("allen-cahn-3d-19point", d, "isotropic diffusion step, ratio 1/10", step(3, scale(F(1, 10), lap19())),
           operator_sum(one(3), lap_operator(3, F(1, 10))), 3)
    swift2 = add(identity(2), scale(F(2), l2), compose(l2, l2))
    kernel("swift-hohenberg-2d", d, "(1 + lap)^2, as in Swift-Hohenberg and phase-field crystal models", swift2,
           operator_sum(one(2), lap_operator(2, F(2)), biharmonic_operator(2)), 3)
    swift3 = add(identity(3), scale(F(2), l3), compose(l3, l3))
    kernel("phase-field-crystal-3d", d, "(1 + lap)^2", swift3,
           operator_sum(one(3), lap_operator(3, F(2)), biharmonic_operator(3)), 3)
    kernel("phase-field-crystal-2d-25point", d, "lap (1 + lap)^2, the conserved evolution", compose(l2, swift2),
           operator_sum(lap_operator(2), biharmonic_operator(2, F(2))), 3)
    kernel("interface-gradient-2d", d, "isotropic gradient for the interface normal (1 4 1)",
           product({-1: F(1, 6), 0: F(2, 3), 1: F(1, 6)}, central(1, 2)), {(0, 1): F(1)}, 2)


def geo():
    d = "geo"
    for order in (2, 4, 8, 16):
        kernel(f"acoustic-2d-order{order}", d, f"space part of the acoustic wave equation, order {order}",
               laplacian(2, order), lap_operator(2), order + 1)
    for order in (2, 4, 8, 12, 16):
        kernel(f"acoustic-3d-order{order}", d, f"space part of the acoustic wave equation, order {order}",
               laplacian(3, order), lap_operator(3), order + 1)
    for order in (4, 8):
        r = order // 2
        kernel(f"elastic-staggered-2d-order{order}", d, f"velocity-stress staggered derivative, order {order}",
               along(1, 2, fd(list(range(-r + 1, r + 1)), 1, F(1, 2))),
               staggered((0, 1), order - 1), order - 1)
    for order in (4, 8):
        kernel(f"tti-cross-2d-order{order}", d, f"cross derivative of a tilted anisotropic medium, order {order}",
               product(central(1, order), central(1, order)), {(1, 1): F(1)}, order + 1)
    kernel("tti-3d-order4", d, "u_xx + u_yy + u_zz + u_xz, order 4",
           add(laplacian(3, 4), product(central(1, 4), {0: F(1)}, central(1, 4))),
           operator_sum(lap_operator(3), {(1, 0, 1): F(1)}), 5)
    # Optimal nine-point operator of Jo, Shin and Suh (Geophysics 61, 1996): a = 0.5461.
    a = F(5461, 10000)
    rotated = scale(F(1, 2), table([[1, 0, 1], [0, -4, 0], [1, 0, 1]]))
    kernel("helmholtz-2d-jo-shin-suh", d, "optimal nine-point Laplacian, a = 0.5461 (Jo, Shin, Suh 1996)",
           add(scale(a, laplacian(2, 2)), scale(1 - a, rotated)), lap_operator(2), 3)


def staggered(axis_powers, degree):
    """The derivative at half a cell along the marked axis, as an operator at the point: Taylor's series."""
    axis = axis_powers.index(1)
    operator = {}
    for k in range(1, degree + 1):
        powers = tuple(k if a == axis else 0 for a in range(len(axis_powers)))
        operator[powers] = F(1, 2) ** (k - 1) / math.factorial(k - 1)
    return operator


def image():
    d = "image"
    kernel("blur-box-3x3", d, "mean", product({k: F(1, 3) for k in (-1, 0, 1)}, {k: F(1, 3) for k in (-1, 0, 1)}),
           one(2), 1)
    kernel("blur-box-5x5", d, "mean", product(*[{k: F(1, 5) for k in range(-2, 3)}] * 2), one(2), 1)
    binomial5 = {k - 2: F(math.comb(4, k), 16) for k in range(5)}
    kernel("gaussian-binomial-5x5", d, "binomial approximation of a Gaussian", product(binomial5, binomial5), one(2), 1)
    kernel("gaussian-7x7", d, "Gaussian, sigma 1.5", gaussian(3, 1.5), one(2), 1)
    kernel("gaussian-15x15", d, "Gaussian, sigma 3", gaussian(7, 3.0), one(2), 1)
    kernel("gaussian-3d-5x5x5", d, "Gaussian of a volume image, sigma 1", gaussian(2, 1.0, 3), one(3), 1)
    kernel("sobel-x", d, "Sobel", table([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]), {(0, 1): F(8)}, 2)
    kernel("sobel-y", d, "Sobel", table([[-1, -2, -1], [0, 0, 0], [1, 2, 1]]), {(1, 0): F(8)}, 2)
    kernel("scharr-x", d, "Scharr", table([[-3, 0, 3], [-10, 0, 10], [-3, 0, 3]]), {(0, 1): F(32)}, 2)
    kernel("prewitt-y", d, "Prewitt", table([[-1, -1, -1], [0, 0, 0], [1, 1, 1]]), {(1, 0): F(6)}, 2)
    smooth, slope = {-1: F(1), 0: F(2), 1: F(1)}, {-1: F(-1), 1: F(1)}
    kernel("sobel-3d-x", d, "Sobel of a volume image", product(smooth, smooth, slope), {(0, 0, 1): F(32)}, 2)
    kernel("laplacian-8-neighbours", d, "edges", table([[1, 1, 1], [1, -8, 1], [1, 1, 1]]),
           lap_operator(2, F(3)), 3)
    kernel("laplacian-of-gaussian-5x5", d, "Marr and Hildreth, sigma 0.8", laplacian_of_gaussian(2, 0.8), {}, 1)
    kernel("laplacian-of-gaussian-9x9", d, "Marr and Hildreth, sigma 1.4", laplacian_of_gaussian(4, 1.4), {}, 1)
    kernel("sharpen-3x3", d, "identity minus the five-point Laplacian",
           add(identity(2), scale(F(-1), laplacian(2, 2))), operator_sum(one(2), lap_operator(2, F(-1))), 3)
    kernel("unsharp-mask-5x5", d, "twice the image minus its binomial blur",
           add(scale(F(2), identity(2)), scale(F(-1), product(binomial5, binomial5))), one(2), 1)
    kernel("emboss-3x3", d, "relief", table([[-2, -1, 0], [-1, 1, 1], [0, 1, 2]]), {(0, 0): F(1), (1, 0): F(6),
                                                                                    (0, 1): F(6)}, 1)
    kernel("motion-blur-diagonal-7", d, "mean of seven points along the diagonal", {(k, k): F(1, 7) for k in range(-3, 4)},
           one(2), 1)
    kernel("gabor-9x9", d, "even Gabor filter, sigma 2, wavelength 5", gabor(4, 2.0, 5.0))


def em():
    d = "em"
    for order in (2, 4, 6):
        r = order // 2
        kernel(f"fdtd-curl-2d-order{order}", d, f"staggered difference of one curl component, order {order}",
               along(0, 2, fd(list(range(-r + 1, r + 1)), 1, F(1, 2))), staggered((1, 0), order - 1), order - 1)
    kernel("fdtd-curl-3d-order4", d, "FDTD(2,4): staggered difference along z, order 4",
           along(2, 3, fd([-1, 0, 1, 2], 1, F(1, 2))), staggered((0, 0, 1), 3), 3)
    kernel("fdtd-hz-2d", d, "both staggered differences of the update of H_z, on one field",
           {(1, 0): F(1), (0, 1): F(-1)}, {(1, 0): F(1), (0, 1): F(-1)}, 1)
    # (1 + eps) along the axis from transverse smoothing: isotropic dispersion (Cole's nonstandard Laplacian).
    eta = F(1, 12)
    smooth = {-1: eta, 0: 1 - 2 * eta, 1: eta}
    kernel("wave-2d-nonstandard", d, "isotropic second derivatives smoothed across, eta = 1/12",
           add(product(central(2, 2), smooth), product(smooth, central(2, 2))), lap_operator(2), 3)
    kernel("wave-2d-order4", d, "TM mode eliminated to one field, order 4", laplacian(2, 4), lap_operator(2), 5)
    kernel("wave-3d-order4", d, "vector wave equation, diagonal part, order 4", laplacian(3, 4), lap_operator(3), 5)
    kernel("curl-curl-3d-zz", d, "(curl curl E)_z from E_z: -(d_xx + d_yy)",
           scale(F(-1), add(along(0, 3, central(2, 2)), along(1, 3, central(2, 2)))),
           {(2, 0, 0): F(-1), (0, 2, 0): F(-1)}, 3)
    kernel("curl-curl-3d-zx", d, "(curl curl E)_z from E_x: d_xz", product(central(1, 2), {0: F(1)}, central(1, 2)),
           {(1, 0, 1): F(1)}, 3)
    kernel("electrostatics-3d-order6", d, "Laplacian of the potential, order 6", laplacian(3, 6), lap_operator(3), 7)
    kernel("charge-smoothing-3d", d, "bilinear (1 2 1) smoothing of a particle-in-cell code",
           product(*[{-1: F(1, 4), 0: F(1, 2), 1: F(1, 4)}] * 3), one(3), 1)


def weather():
    d = "weather"
    l2 = laplacian(2, 2)
    kernel("horizontal-diffusion-2d", d, "COSMO-style fourth-order diffusion, Laplacian of the Laplacian, factor -1/40",
           step(2, scale(F(-1, 40), compose(l2, l2))), operator_sum(one(2), biharmonic_operator(2, F(-1, 40))), 5)
    kernel("horizontal-diffusion-3d", d, "the same on the levels of a 3-D field",
           {(0,) + o: c for o, c in step(2, scale(F(-1, 40), compose(l2, l2))).items()},
           operator_sum(one(3), {(0,) + p: c for p, c in biharmonic_operator(2, F(-1, 40)).items()}), 5)
    kernel("hyperdiffusion-order6-2d", d, "WRF-style sixth-order filter, factor 1/64 a direction",
           step(2, *[scale(F(1, 64), along(a, 2, central(6, 2))) for a in range(2)]),
           operator_sum(one(2), {(6, 0): F(1, 64), (0, 6): F(1, 64)}), 7)
    for order, points in ((3, [-2, -1, 0, 1]), (5, [-3, -2, -1, 0, 1, 2])):
        kernel(f"advection-order{order}-2d", d, f"WRF-style upwind-biased advection of order {order}, wind (1, 1/2)",
               add(scale(F(-1), along(0, 2, fd(points, 1))), scale(F(-1, 2), along(1, 2, fd(points, 1)))),
               {(1, 0): F(-1), (0, 1): F(-1, 2)}, order)
    kernel("advection-order5-3d", d, "the same with a vertical wind 1/4 at order 3",
           add(scale(F(-1), along(2, 3, fd([-3, -2, -1, 0, 1, 2], 1))),
               scale(F(-1, 2), along(1, 3, fd([-3, -2, -1, 0, 1, 2], 1))),
               scale(F(-1, 4), along(0, 3, fd([-2, -1, 0, 1], 1)))),
           {(0, 0, 1): F(-1), (0, 1, 0): F(-1, 2), (1, 0, 0): F(-1, 4)}, 3)
    for order in (2, 4, 8, 16):
        kernel(f"shapiro-filter-order{order}-1d", d, f"Shapiro filter of order {order}", shapiro(order), one(1), order - 1)
    s4 = {o[0]: c for o, c in shapiro(4).items()}
    kernel("shapiro-filter-order4-2d", d, "Shapiro filter of order 4 along both axes", product(s4, s4), one(2), 3)
    cubic = lagrange([-2, -1, 0, 1], F(-1, 4))
    kernel("semi-lagrangian-cubic-2d", d, "bicubic interpolation at a departure point (1/4, 1/4) upstream",
           product(cubic, cubic), semi_lagrangian(2, F(-1, 4), 3), 3)
    linear = lagrange([-1, 0], F(-1, 4))
    kernel("semi-lagrangian-linear-3d", d, "trilinear interpolation at a departure point 1/4 upstream",
           product(linear, linear, linear), semi_lagrangian(3, F(-1, 4), 1), 1)
    average = {(0, 0): F(1, 4), (0, 1): F(1, 4), (-1, 0): F(1, 4), (-1, 1): F(1, 4)}
    kernel("coriolis-average-2d", d, "mean of the four v points around a u point of the C grid", average,
           {(0, 0): F(1), (1, 0): F(-1, 2), (0, 1): F(1, 2)}, 1)
    kernel("divergence-damping-3d", d, "damping of horizontal divergence, factor 1/20",
           step(3, scale(F(1, 20), {(0,) + o: c for o, c in l2.items()})),
           operator_sum(one(3), {(0, 2, 0): F(1, 20), (0, 0, 2): F(1, 20)}), 3)


def semi_lagrangian(rank, x, degree):
    operator = {}
    for powers in itertools.product(range(degree + 1), repeat=rank):
        if sum(powers) <= degree:
            operator[powers] = math.prod(x**p / math.factorial(p) for p in powers)
    return operator


def finite_differences():
    d = "fd"
    for order in (4, 6, 8, 10, 12):
        kernel(f"d1-order{order}-1d", d, f"first derivative, order {order}", along(0, 1, central(1, order)),
               {(1,): F(1)}, order)
    for order in (6, 10, 14, 16):
        kernel(f"d2-order{order}-1d", d, f"second derivative, order {order}", along(0, 1, central(2, order)),
               {(2,): F(1)}, order + 1)
    kernel("d3-order4-1d", d, "third derivative, order 4", along(0, 1, central(3, 4)), {(3,): F(1)}, 6)
    kernel("d4-order6-1d", d, "fourth derivative, order 6", along(0, 1, central(4, 6)), {(4,): F(1)}, 9)
    kernel("d6-order2-1d", d, "sixth derivative, order 2", along(0, 1, central(6, 2)), {(6,): F(1)}, 7)
    kernel("d1-onesided-order4-1d", d, "first derivative from one side, order 4", along(0, 1, fd(list(range(5)), 1)),
           {(1,): F(1)}, 4)
    for order in (6, 10, 12, 14):
        kernel(f"laplacian-2d-order{order}", d, f"order {order}", laplacian(2, order), lap_operator(2), order + 1)
    for order in (10, 14):
        kernel(f"laplacian-3d-order{order}", d, f"order {order}", laplacian(3, order), lap_operator(3), order + 1)
    for order in (2, 6):
        kernel(f"mixed-2d-order{order}", d, f"u_xy, order {order}", product(central(1, order), central(1, order)),
               {(1, 1): F(1)}, order + 1)
    kernel("mixed-3d-order4", d, "u_xyz, order 4", product(*[central(1, 4)] * 3), {(1, 1, 1): F(1)}, 6)
    kernel("biharmonic-2d-order4", d, "order 4", biharmonic(2, 4), biharmonic_operator(2), 7)
    kernel("biharmonic-3d-order2", d, "order 2", biharmonic(3, 2), biharmonic_operator(3), 5)


def biharmonic(rank, order):
    parts = [along(a, rank, central(4, order)) for a in range(rank)]
    for a in range(rank):
        for b in range(a + 1, rank):
            parts.append(scale(F(2), compose(along(a, rank, central(2, order)), along(b, rank, central(2, order)))))
    return add(*parts)


def number(c):
    c = F(c)
    if c.denominator == 1:
        return str(c.numerator)
    if c.denominator < 10**9:
        return f"{c.numerator}/{c.denominator}"
    return f"{float(c):.10g}"


HEADER = """\
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stencil kernels of nine scientific domains, on a grid of unit spacing. Written by generate.py; read by
# perf_tests/harness/Catalogue.cpp. A kernel is
#
#   kernel NAME
#   domain DOMAIN
#   source where the coefficients come from
#   rank 1, 2 or 3
#   operator P1 .. Prank FACTOR     the kernel stands for the sum of FACTOR d^P1/dx1 .. (0 0 is the value itself);
#   degree N                        exactly so for polynomials of total degree up to N
#   O1 .. Orank : C C C ...         coefficients at an offset and the following ones along the last axis
#
# Coefficients are integers, fractions or decimals; 0 is a gap. The last axis is the contiguous one.
"""


def render():
    lines = [HEADER]
    for name, domain, source, rank, stencil, operator, degree in KERNELS:
        lines += [f"kernel {name}", f"domain {domain}", f"source {source}", f"rank {rank}"]
        if operator is not None:
            for powers in sorted(operator):
                lines.append("operator " + " ".join(map(str, powers)) + " " + number(operator[powers]))
            lines.append(f"degree {degree}")
        rows = {}
        for o in sorted(stencil):
            rows.setdefault(o[:-1], {})[o[-1]] = stencil[o]
        for slow, row in rows.items():
            # Long gaps start a new line instead of a run of zeros.
            run, last = [], None
            runs = []
            for x in sorted(row):
                if last is not None and x - last <= 2:
                    run += [F(0)] * (x - last - 1) + [row[x]]
                else:
                    run = [row[x]]
                    runs.append((x, run))
                last = x
            for first, values in runs:
                lines.append("  " + " ".join(map(str, slow + (first,))) + " : " + " ".join(map(number, values)))
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", metavar="FILE", help="compare with a file instead of writing")
    arguments = parser.parse_args()
    for domain in (pde, fluid, lbm, phase, geo, image, em, weather, finite_differences):
        domain()
    text = render()
    if arguments.check:
        with open(arguments.check, encoding="utf-8") as file:
            if file.read() != text:
                print(f"{arguments.check} is not what generate.py writes", file=sys.stderr)
                return 1
        return 0
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
