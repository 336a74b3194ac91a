// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "FakeRuntime.hpp"
#include "Generator.hpp"

#include <KokkosStencil_Registry.hpp>

#include <impl/KokkosStencil_StateOps.hpp>

#include <gtest/gtest.h>

#include <string>
#include <typeinfo>

// What GPUs offer beside backends: the work between sweeps, memory for measurements, numbers for predictions.

namespace KokkosStencil {
namespace {

SpaceInfo space_of(int device) {
  return {"Cuda", typeid(int), false, 1, device, FakeRuntime::gpus[device].compute_capability};
}

Problem some_problem(std::string const& label) {
  Generator problems(1);
  Impl::ViewInfo in, out;
  for (;;) {
    if (auto const p = problems.next(label, in, out)) return *p;
  }
}

TEST(DeviceServices, AreThoseOfTheGpu) {
  std::string const label = "services";
  Launch const launch{label, nullptr, nullptr};
  auto const ops = Impl::make_state_ops(some_problem(label), space_of(0));
  EXPECT_EQ(ops->device_name(launch), "NVIDIA H200");
  EXPECT_EQ(Impl::device_model(space_of(0))->name, "NVIDIA H200");

  FakeRuntime::Log const before = FakeRuntime::log();
  char values[16] = "fifteen letters", back[16] = "";
  void* const memory = ops->allocate(sizeof values);
  ops->copy(launch, memory, values, sizeof values);
  ops->copy(launch, back, memory, sizeof values);
  EXPECT_STREQ(back, values);
  EXPECT_EQ(FakeRuntime::log().waits, before.waits);
  ops->fence(launch);
  EXPECT_EQ(FakeRuntime::log().waits, before.waits + 1);
  ops->release(memory);
  EXPECT_EQ(FakeRuntime::log().kept, before.kept);
}

TEST(DeviceServices, OfOtherSpaces) {
  SpaceInfo const host{"Abacus", typeid(char)};
  EXPECT_EQ(Impl::device_model(host), nullptr);
  EXPECT_ERROR(Impl::make_state_ops(some_problem("services"), host), "no kernels for the execution space Abacus");
}

TEST(DeviceServices, MemoryThatIsNotThereIsAnErrorOnlyOnce) {
  std::string const label = "services";
  Problem const p         = some_problem(label);
  auto const ops          = Impl::make_state_ops(p, space_of(0));
  FakeRuntime::log().full = true;
  EXPECT_ANY_THROW(ops->allocate(1 << 20));
  FakeRuntime::log().full = false;
  // The error is not there any more when something else is planned.
  Launch const launch{label, nullptr, nullptr};
  auto const backend = Impl::find_backend(label, "cuda_direct");
  EXPECT_NO_THROW(backend->prepare(p, space_of(0), launch));
}

}  // namespace
}  // namespace KokkosStencil
