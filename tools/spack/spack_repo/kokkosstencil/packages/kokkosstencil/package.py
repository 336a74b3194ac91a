# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *

# The recipe lies in the sources that it builds.
sources = pathlib.Path(__file__).resolve().parents[6]


class Kokkosstencil(CMakePackage, CudaPackage):
    """Stencils on Kokkos Views: one call, in the shape of Kokkos::parallel_for, applies a stencil
    with its boundary rules, once or many times, by the fastest kernel for the machine at hand."""

    homepage = sources.as_uri()
    git = sources.as_uri()

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    test_requires_compiler = True

    variant(
        "mpi",
        default=False,
        description="Build the component Distributed: fields over many processes",
    )
    variant("shared", default=True, description="Build a shared library")
    variant("tests", default=False, description="Build the tests")
    variant(
        "tools",
        default=False,
        description="Build kokkosstencil_explain, which tells what would run where",
    )

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("cmake@3.22:", type="test")

    depends_on("kokkos@3.4:5")
    depends_on("mpi", when="+mpi")
    depends_on("googletest", when="+tests")
    depends_on("cli11", when="+tools")
    depends_on("cairo+png", when="+tools")
    depends_on("libpng", when="+tools")

    with when("+cuda"):
        depends_on("kokkos@4:5 +cuda +wrapper")
        depends_on("cuda@12.5:")
        conflicts("cuda_arch=none", msg="Kokkos needs to know the GPU: cuda_arch=90, for example")
    for arch in CudaPackage.cuda_arch_values:
        if int(arch.rstrip("af")) >= 80:
            depends_on(f"kokkos cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
        else:
            conflicts(
                f"cuda_arch={arch}",
                when="+cuda",
                msg="The CUDA kernels need compute capability 8.0 or later",
            )
    conflicts(
        "^kokkos ~shared ~pic", when="+shared", msg="A shared library needs kokkos +shared or +pic"
    )
    conflicts(
        "^kokkos +cuda", when="~cuda", msg="With a Kokkos for CUDA, build KokkosStencil with +cuda"
    )

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("KokkosStencil_ENABLE_CUDA", "cuda"),
            self.define_from_variant("KokkosStencil_ENABLE_DISTRIBUTED", "mpi"),
            self.define_from_variant("KokkosStencil_ENABLE_TESTS", "tests"),
            self.define_from_variant("KokkosStencil_ENABLE_TOOLS", "tools"),
            self.define("KokkosStencil_ENABLE_EXAMPLES", False),
            self.define("Kokkos_ROOT", self.spec["kokkos"].prefix),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
            args.append(
                self.define(
                    "KokkosStencil_CUDA_ARCHITECTURES", list(self.spec.variants["cuda_arch"].value)
                )
            )
        return args

    consumer = join_path("tests", "install", "consumer")

    @run_after("install")
    def keep_consumer(self):
        cache_extra_test_sources(self, [self.consumer])

    def test_consumer(self):
        """a project finds the package, builds with it and gets right results"""
        compiler = self["kokkos"].kokkos_cxx if self.spec.satisfies("+cuda") else self.compiler.cxx
        cmake = self.spec["cmake"].command
        with working_dir(join_path(self.test_suite.current_test_cache_dir, self.consumer)):
            cmake(
                "-B",
                "build",
                self.define("MODE", "package"),
                self.define_from_variant("DISTRIBUTED", "mpi"),
                self.define("CMAKE_CXX_COMPILER", compiler),
                self.define("CMAKE_PREFIX_PATH", [self.prefix, self.spec["kokkos"].prefix]),
            )
            cmake("--build", "build")
            consumer = Executable(join_path("build", "consumer"))
            out = consumer(output=str.split, error=str.split)
            assert "KokkosStencil " in out, out
