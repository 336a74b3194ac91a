// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Candidate.hpp"
#include "Commit.hpp"
#include "Report.hpp"

#include <KokkosStencil_Version.hpp>

#include <benchmark/benchmark.h>

#include <dlfcn.h>

#include <fstream>
#include <sstream>
#include <string>

namespace perf {

namespace {

std::string version_text(int version, int step) {
  return std::to_string(version / (step * step)) + "." + std::to_string(version / step % step) + "." +
         std::to_string(version % step);
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    auto const colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

#ifdef KOKKOS_ENABLE_CUDA
/// Reads the driver's management library where it is there; changes nothing.
void add_driver(int device) {
  void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  using Init       = int (*)();
  using Version    = int (*)(char*, unsigned);
  using ByIndex    = int (*)(unsigned, void**);
  using Clock      = int (*)(void*, int, unsigned*);
  auto const init  = reinterpret_cast<Init>(dlsym(library, "nvmlInit_v2"));
  auto const text  = reinterpret_cast<Version>(dlsym(library, "nvmlSystemGetDriverVersion"));
  auto const index = reinterpret_cast<ByIndex>(dlsym(library, "nvmlDeviceGetHandleByIndex_v2"));
  auto const clock = reinterpret_cast<Clock>(dlsym(library, "nvmlDeviceGetClockInfo"));
  auto const most  = reinterpret_cast<Clock>(dlsym(library, "nvmlDeviceGetMaxClockInfo"));
  if (init == nullptr || init() != 0) return;
  char driver[96] = "";
  if (text != nullptr && text(driver, sizeof driver) == 0) benchmark::AddCustomContext("driver", driver);
  void* handle = nullptr;
  if (index == nullptr || index(static_cast<unsigned>(device), &handle) != 0) return;
  auto const add = [&](char const* name, Clock read, int kind) {
    unsigned mhz = 0;
    if (read != nullptr && read(handle, kind, &mhz) == 0) {
      benchmark::AddCustomContext(name, std::to_string(mhz) + " MHz");
    }
  };
  add("clock_sm", clock, 1);
  add("clock_memory", clock, 2);
  add("clock_sm_max", most, 1);
  add("clock_memory_max", most, 2);
}

void add_device() {
  int device = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) return;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  auto const cuda = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
  benchmark::AddCustomContext("gpu", properties.name);
  benchmark::AddCustomContext("compute_capability",
                              std::to_string(properties.major) + "." + std::to_string(properties.minor));
  benchmark::AddCustomContext("multiprocessors", std::to_string(properties.multiProcessorCount));
  benchmark::AddCustomContext("l2_bytes", std::to_string(properties.l2CacheSize));
  benchmark::AddCustomContext("cuda_runtime", cuda(runtime));
  benchmark::AddCustomContext("cuda_driver", cuda(driver));
  add_driver(device);
}
#endif

}  // namespace

void add_context(bool host) {
  benchmark::AddCustomContext("project", std::string("KokkosStencil ") + KOKKOSSTENCIL_VERSION_STRING);
  benchmark::AddCustomContext("commit", PERF_GIT_COMMIT);
  benchmark::AddCustomContext("kokkos", version_text(KOKKOS_VERSION, 100));
  benchmark::AddCustomContext("space", host ? Host::name() : Device::name());
  benchmark::AddCustomContext("concurrency", std::to_string(host ? Host().concurrency() : Device().concurrency()));
  benchmark::AddCustomContext("compiler", compiler());
  benchmark::AddCustomContext("cpu", cpu_name());
#ifdef KOKKOS_ENABLE_CUDA
  if (!host) add_device();
#endif
}

}  // namespace perf
