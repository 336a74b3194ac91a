// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Registry.hpp"

#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_HeldBytes.hpp>
#include <impl/KokkosStencil_StateOps.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>

namespace KokkosStencil {

namespace {

struct Registry {
  std::mutex mutex;
  std::vector<std::shared_ptr<Backend const>> backends;
  std::vector<std::unique_ptr<Impl::DeviceServices const>> services;  // the last first; never removed
};

Registry& registry() {
  // Plans end with Kokkos, which may be finalized when static objects are gone.
  static Registry& r = *new Registry;
  return r;
}

void ensure_built_in() {
  static std::once_flag once;
  std::call_once(once, [] { Impl::register_built_in_backends(); });
}

thread_local std::string t_last_backend;

void add(std::unique_ptr<Backend const> backend) {
  Registry& r = registry();
  std::lock_guard<std::mutex> lock(r.mutex);
  for (auto const& known : r.backends) {
    if (known->name() == backend->name()) {
      throw Error("KokkosStencil::register_backend: a backend named \"" + backend->name() + "\" exists already.");
    }
  }
  r.backends.push_back(std::move(backend));
}

}  // namespace

void register_backend(std::unique_ptr<Backend const> backend) {
  if (backend == nullptr) throw Error("KokkosStencil::register_backend: no backend was given.");
  if (backend->name().empty()) throw Error("KokkosStencil::register_backend: the backend's name is empty.");
  ensure_built_in();
  add(std::move(backend));
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (auto const& backend : Impl::backends()) names.push_back(backend->name());
  return names;
}

std::string const& last_backend() { return t_last_backend; }

std::int64_t Executable::pass(Launch const& launch, void const* in, void* out, std::int64_t) const {
  ToolsRegion const region(launch, launches_raw());
  sweep(launch, in, out);
  return 1;
}

void Executable::update(Launch const&, void const*, void*, Update const&) const {
  throw Error("its executable has no update(). Let can_update say no.");
}

bool Executable::sweep_with_norm(Launch const&, void const*, void*, Norm, NormReducer&) const { return false; }

bool Executable::pass_with_norm(Launch const&, void const*, void*, std::int64_t, Norm, NormReducer&) const {
  return false;
}

void* Executable::iterate(Launch const& launch, void* a, void* b, std::int64_t steps) const {
  while (steps > 0) {
    steps -= pass(launch, a, b, steps);
    std::swap(a, b);
  }
  return a;
}

std::vector<Estimate> Backend::estimates(Problem const& problem, SpaceInfo const& space) const {
  Estimate e;
  e.seconds = predict(problem, space);
  return {e};
}

double NormReducer::of_sweep(Launch const&, Norm, std::function<void()> const&) {
  throw Error("KokkosStencil: no sweep was measured.");
}

namespace Impl {

void register_built_in(std::unique_ptr<Backend const> backend) { add(std::move(backend)); }

void register_device_services(std::unique_ptr<DeviceServices const> services) {
  Registry& r = registry();
  std::lock_guard<std::mutex> lock(r.mutex);
  r.services.insert(r.services.begin(), std::move(services));
}

namespace {

std::vector<DeviceServices const*> device_services() {
  ensure_built_in();
  Registry& r = registry();
  std::lock_guard<std::mutex> lock(r.mutex);
  std::vector<DeviceServices const*> all;
  for (auto const& services : r.services) all.push_back(services.get());
  return all;
}

}  // namespace

std::unique_ptr<StateOps> make_state_ops(Problem const& problem, SpaceInfo const& space) {
  for (DeviceServices const* services : device_services()) {
    if (auto ops = services->state_ops(problem, space)) return ops;
  }
  throw Error("KokkosStencil: no kernels for the execution space " + space.name + " in this build.");
}

DeviceModel const* device_model(SpaceInfo const& space) {
  for (DeviceServices const* services : device_services()) {
    if (DeviceModel const* const model = services->device_model(space)) return model;
  }
  return nullptr;
}

bool copy_rows(SpaceInfo const& space, Launch const& launch, RowCopy const& copy) {
  for (DeviceServices const* services : device_services()) {
    if (services->copy_rows(space, launch, copy)) return true;
  }
  return false;
}

bool room_for_copies(SpaceInfo const& space, std::int64_t bytes) {
  for (DeviceServices const* services : device_services()) {
    if (services->room_for_copies(space, bytes)) return true;
  }
  return false;
}

std::vector<std::shared_ptr<Backend const>> backends() {
  ensure_built_in();
  Registry& r = registry();
  std::lock_guard<std::mutex> lock(r.mutex);
  return r.backends;
}

std::int64_t& device_bytes() noexcept {
  thread_local std::int64_t bytes = 0;
  return bytes;
}

void rethrow_labelled(std::string const& label, std::string const& backend) {
  auto const text = [&](char const* what) {
    std::string rest       = what;
    std::string const name = "KokkosStencil: ";
    if (rest.rfind(name, 0) == 0) rest.erase(0, name.size());
    return name + "\"" + label + "\": the backend \"" + backend + "\" failed: " + rest;
  };
  try {
    throw;
  } catch (std::exception const& e) {
    if (std::string(e.what()).find("\"" + label + "\"") != std::string::npos) throw;
    if (dynamic_cast<Error const*>(&e) != nullptr) std::throw_with_nested(Error(text(e.what())));
    std::throw_with_nested(std::runtime_error(text(e.what())));
  } catch (...) {
    std::throw_with_nested(std::runtime_error(text("it threw something that is no std::exception")));
  }
}

std::unique_ptr<Executable> prepare(std::string const& label, Backend const& backend, Problem const& problem,
                                    SpaceInfo const& space, Launch const& launch) {
  return guarded(label, backend.name(), [&] {
    std::unique_ptr<Executable> made = backend.prepare(problem, space, launch);
    if (made == nullptr) throw Error("its prepare returned nothing. Let can_run refuse what it cannot prepare.");
    return made;
  });
}

Status ask(std::string const& label, Backend const& backend, Problem const& problem, SpaceInfo const& space) {
  return guarded(label, backend.name(), [&] {
    if (!problem.updates || backend.can_update()) return backend.can_run(problem, space);
    return Status::cannot("it writes S(u) alone, not alpha S(u) + beta v");
  });
}

std::vector<Answer> ask_backends(std::string const& label, Problem const& problem, SpaceInfo const& space) {
  std::vector<Answer> all;
  for (auto& backend : backends()) {
    Status verdict = ask(label, *backend, problem, space);
    all.push_back({std::move(backend), std::move(verdict)});
  }
  return all;
}

std::vector<Candidate> candidates(std::string const& label, std::vector<Answer> const& answers, Problem const& problem,
                                  SpaceInfo const& space) {
  std::vector<Candidate> all;
  all.reserve(2 * answers.size());
  auto const add = [&](Answer const& answer) -> Candidate& {
    Candidate& c = all.emplace_back();
    c.backend    = answer.backend->name();
    c.runnable   = answer.verdict.yes;
    c.reason     = answer.verdict.reason;
    return c;
  };
  for (Answer const& answer : answers) {
    if (!answer.verdict.yes) {
      add(answer);
      continue;
    }
    auto const estimates =
        guarded(label, answer.backend->name(), [&] { return answer.backend->estimates(problem, space); });
    for (Estimate const& e : estimates) {
      Candidate& c = add(answer);
      c.estimate   = e;
      c.predicted  = e.seconds;
    }
  }
  return all;
}

namespace {

std::string backend_of_environment() {
  char const* const name = std::getenv("KOKKOSSTENCIL_BACKEND");
  return name == nullptr ? std::string() : std::string(name);
}
std::string& environment_choice() {
  static std::string choice = backend_of_environment();
  return choice;
}

}  // namespace

void read_environment() { environment_choice() = backend_of_environment(); }

std::string const& forced_backend(std::string const& policy_choice) {
  return policy_choice.empty() ? environment_choice() : policy_choice;
}

std::shared_ptr<Backend const> find_backend(std::string const& label, std::string const& name) {
  std::string known;
  for (auto const& backend : backends()) {
    if (backend->name() == name) return backend;
    known += (known.empty() ? "" : ", ") + backend->name();
  }
  fail(label, "the forced backend \"" + name + "\" does not exist in this build; there are: " + known +
                  ". Correct the policy's backend(...) or the environment variable KOKKOSSTENCIL_BACKEND.");
}

void note_backend(std::string_view name) { t_last_backend = name; }

bool verbose() {
  char const* const v = std::getenv("KOKKOSSTENCIL_VERBOSE");
  return v != nullptr && *v != '\0' && std::string_view(v) != "0";
}

std::string const& functor_backend(std::string const& label, std::string const& forced, bool many_on_host) {
  std::string const& name = forced_backend(forced);
  if (name.empty()) return name;
  for (char const* known : {"generic", "functor_points", "functor_direct", "functor_streaming", "functor_ring",
                            "functor_temporal", "functor_patches"}) {
    if (name == known) return name;
  }
  if (many_on_host && name == "host_temporal") return name;
  find_backend(label, name);
  fail(label, "the forced backend \"" + name +
                  "\" cannot run a functor stencil; only \"generic\", \"functor_points\", \"functor_direct\", "
                  "\"functor_streaming\", \"functor_ring\", \"functor_temporal\" and \"functor_patches\" can, and "
                  "\"host_temporal\" many sweeps on "
                  "a host. "
                  "Force none, or describe the stencil with KokkosStencil::Stencil.");
}

}  // namespace Impl
}  // namespace KokkosStencil
