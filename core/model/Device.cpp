// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Error.hpp>
#include <model/Number.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <locale>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>

namespace KokkosStencil {

namespace {

constexpr double giga = 1e9, tera = 1e12;
constexpr std::int64_t mega_bytes = 1 << 20;

/// A line of a data sheet: GB/s, then TFLOP/s without sparsity; tensor rates with float sums.
struct Sheet {
  char const* name;
  int compute_capability, multiprocessors, l2_mega_bytes;
  double bandwidth, float_rate, double_rate, half_tensor, tf32_tensor, double_tensor;
};

// NVIDIA's data sheets and architecture white papers. Names as the driver gives them.
constexpr Sheet sheets[] = {
    {"NVIDIA A100 80GB PCIe", 80, 108, 40, 1935, 19.5, 9.7, 312, 156, 19.5},
    {"NVIDIA A100-SXM4-80GB", 80, 108, 40, 2039, 19.5, 9.7, 312, 156, 19.5},
    {"NVIDIA A100-PCIE-40GB", 80, 108, 40, 1555, 19.5, 9.7, 312, 156, 19.5},
    {"NVIDIA A100-SXM4-40GB", 80, 108, 40, 1555, 19.5, 9.7, 312, 156, 19.5},
    {"NVIDIA A30", 80, 56, 24, 933, 10.3, 5.2, 165, 82, 10.3},
    {"NVIDIA A10", 86, 72, 6, 600, 31.2, 0.488, 125, 62.5, 0},
    {"NVIDIA A40", 86, 84, 6, 696, 37.4, 0.585, 149.7, 74.8, 0},
    {"NVIDIA GeForce RTX 3090", 86, 82, 6, 936, 35.6, 0.556, 71, 35.6, 0},
    {"NVIDIA L4", 89, 58, 48, 300, 30.3, 0.473, 121, 60, 0},
    {"NVIDIA L40S", 89, 142, 96, 864, 91.6, 1.431, 362, 183, 0},
    {"NVIDIA GeForce RTX 4090", 89, 128, 72, 1008, 82.6, 1.29, 165.2, 82.6, 0},
    {"NVIDIA H100 80GB HBM3", 90, 132, 50, 3350, 66.9, 33.5, 989.4, 494.7, 66.9},
    {"NVIDIA H100 PCIe", 90, 114, 50, 2039, 51.2, 25.6, 756, 378, 51.2},
    {"NVIDIA GH200 480GB", 90, 132, 60, 4000, 66.9, 33.5, 989.4, 494.7, 66.9},
    {"NVIDIA H200", 90, 132, 60, 4800, 66.9, 33.5, 989.4, 494.7, 66.9},
};

/// Adds the rates that follow from the others: the last cache is no slower than memory, and products with 2:4 sparsity
/// take half the time.
void add_derived_rates(DeviceModel& d) {
  d.l2_bandwidth = 1.05 * d.bandwidth;
  d.half_sparse  = 2.0 * d.half_tensor;
  d.tf32_sparse  = 2.0 * d.tf32_tensor;
}

DeviceModel from_sheet(Sheet const& s) {
  DeviceModel d;
  d.name               = s.name;
  d.compute_capability = s.compute_capability;
  d.multiprocessors    = s.multiprocessors;
  d.l2_bytes           = s.l2_mega_bytes * mega_bytes;
  d.bandwidth          = s.bandwidth * giga;
  d.float_rate         = s.float_rate * tera;
  d.double_rate        = s.double_rate * tera;
  d.half_tensor        = s.half_tensor * tera;
  d.tf32_tensor        = s.tf32_tensor * tera;
  d.double_tensor      = s.double_tensor * tera;
  d.source             = "data sheet";
  add_derived_rates(d);
  return d;
}

/// What a copy and warp-wide matrix products reach of the peaks. Hopper runs them below the rate of its warpgroup
/// products: measured on an H200, 0.65 of the dense and 0.48 of the sparse peak. Before Hopper there is nothing else,
/// and 0.95 is what microbenchmarks in the literature give.
DeviceModel reached(DeviceModel d) {
  bool const warpgroups = d.compute_capability >= 90;
  double const dense = warpgroups ? 0.65 : 0.95, sparse = warpgroups ? 0.48 : 0.9;
  d.bandwidth *= 0.88;
  d.l2_bandwidth *= 0.88;
  d.float_rate *= 0.97;
  d.double_rate *= 0.97;
  d.half_tensor *= dense;
  d.tf32_tensor *= dense;
  d.double_tensor *= 0.97;
  d.half_sparse *= sparse;
  d.tf32_sparse *= sparse;
  d.source = "data sheet, times the fractions measured on an H200";
  return d;
}

/// Measured by the benchmarks (device_peaks, perf_tests/results/nvidia-h200).
DeviceModel h200(DeviceModel d) {
  d.bandwidth     = 4.21e12;
  d.l2_bandwidth  = 4.4e12;  // what stays in the second cache is hardly faster
  d.float_rate    = 65.0e12;
  d.double_rate   = 32.9e12;
  d.half_tensor   = 637e12;
  d.tf32_tensor   = 318e12;
  d.double_tensor = 66.4e12;
  d.half_sparse   = 952e12;
  d.tf32_sparse   = 476e12;
  d.source        = "measured";
  return d;
}

std::vector<std::string> words(std::string const& text) {
  std::vector<std::string> all;
  std::string word;
  for (char const c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      all.push_back(word);
      word.clear();
    }
  }
  return all;
}

/// The beginning of a line as an error shows it.
std::string shown(std::string line) {
  if (line.size() > 80) line = line.substr(0, 80) + "...";
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

struct Described {
  std::mutex mutex;
  std::vector<std::unique_ptr<DeviceModel const>> devices;  // never removed: plans being made may read them
};

Described& described() {
  static Described d;
  return d;
}

/// The numbers of a device by name, with what they may be.
using Number = double DeviceModel::*;
struct Field {
  char const* name;
  Number value;
  double least, most;
  bool needed;  ///< else 0 stands for what is not there
};
constexpr double least_rate = 1e6, most_rate = 1e20;
constexpr Field fields[] = {
    {"bandwidth", &DeviceModel::bandwidth, least_rate, most_rate, true},
    {"l2_bandwidth", &DeviceModel::l2_bandwidth, least_rate, most_rate, false},
    {"launch_seconds", &DeviceModel::launch_seconds, 0.0, 1.0, false},
    {"float_rate", &DeviceModel::float_rate, least_rate, most_rate, true},
    {"double_rate", &DeviceModel::double_rate, least_rate, most_rate, true},
    {"half_tensor", &DeviceModel::half_tensor, least_rate, most_rate, false},
    {"tf32_tensor", &DeviceModel::tf32_tensor, least_rate, most_rate, false},
    {"double_tensor", &DeviceModel::double_tensor, least_rate, most_rate, false},
    {"half_sparse", &DeviceModel::half_sparse, least_rate, most_rate, false},
    {"tf32_sparse", &DeviceModel::tf32_sparse, least_rate, most_rate, false},
};
constexpr int most_capability         = 1000;  // 10 major + minor
constexpr int most_multiprocessors    = 1 << 20;
constexpr std::int64_t most_l2_bytes  = std::int64_t(1) << 50;
constexpr std::size_t most_characters = 256, most_efficiencies = 10000;
// Fractions of a ceiling, rates a second, seconds.
constexpr double least_efficiency = 1e-18, most_efficiency = 1e18;

std::string allowed(Field const& f) {
  return std::string(f.needed ? "" : "0 or ") + "from " + Model::number_text(f.least) + " to " +
         Model::number_text(f.most);
}

bool good(Field const& f, double value) { return (!f.needed && value == 0.0) || (value >= f.least && value <= f.most); }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Names and sources go to terminals, JSON and tuning files: one line without control characters, names in ASCII.
bool good_name(std::string const& text) {
  return text.size() <= most_characters &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}
/// One word of a line.
bool good_efficiency_name(std::string const& text) {
  return !text.empty() && good_name(text) && text.find_first_of(" #") == std::string::npos;
}
bool good_source(std::string const& text) {
  return text.size() <= most_characters && std::none_of(text.begin(), text.end(), is_control);
}

}  // namespace

char const* to_string(ComputeUnit unit) noexcept {
  switch (unit) {
    case ComputeUnit::tensor_cores: return "tensor cores";
    case ComputeUnit::sparse_tensor_cores: return "sparse tensor cores";
    default: return "cores";
  }
}

double DeviceModel::rate(ComputeUnit unit, ValueType type) const noexcept {
  bool const is_double = type == ValueType::float64, is_float = type == ValueType::float32;
  switch (unit) {
    case ComputeUnit::tensor_cores: return is_double ? double_tensor : is_float ? tf32_tensor : half_tensor;
    case ComputeUnit::sparse_tensor_cores: return is_double ? 0.0 : is_float ? tf32_sparse : half_sparse;
    default: return is_double ? double_rate : float_rate;
  }
}

std::vector<DeviceModel> const& data_sheets() {
  static std::vector<DeviceModel> const all = [] {
    std::vector<DeviceModel> d;
    for (Sheet const& s : sheets) d.push_back(from_sheet(s));
    return d;
  }();
  return all;
}

std::vector<DeviceModel> const& known_devices() {
  static std::vector<DeviceModel> const all = [] {
    std::vector<DeviceModel> d;
    for (DeviceModel const& s : data_sheets()) {
      d.push_back(s.name == "NVIDIA H200" ? h200(reached(s)) : reached(s));
    }
    return d;
  }();
  return all;
}

DeviceModel const* find_device(std::vector<DeviceModel> const& devices, std::string const& name) {
  std::vector<std::string> const wanted = words(name);
  if (wanted.empty()) return nullptr;
  for (DeviceModel const& d : devices) {
    if (d.name == name) return &d;
  }
  // Whole words first: an A10 is no A100.
  for (bool const whole : {true, false}) {
    for (DeviceModel const& d : devices) {
      std::vector<std::string> const has = words(d.name);
      bool const all                     = std::all_of(wanted.begin(), wanted.end(), [&](std::string const& w) {
        return std::any_of(has.begin(), has.end(),
                                               [&](std::string const& h) { return whole ? h == w : h.rfind(w, 0) == 0; });
      });
      if (all) return &d;
    }
  }
  return nullptr;
}

DeviceModel device_from_properties(std::string const& name, int compute_capability, int multiprocessors,
                                   std::int64_t l2_bytes, double clock, double memory_bandwidth) {
  // FLOP a multiprocessor and cycle, by compute capability.
  struct PerCycle {
    int compute_capability;
    double float_, double_, half_tensor, double_tensor;
  };
  constexpr PerCycle table[] = {{80, 128, 64, 2048, 128},
                                {86, 256, 4, 1024, 0},
                                {89, 256, 4, 1024, 0},
                                {90, 256, 128, 4096, 256},
                                {120, 256, 4, 1024, 0}};
  PerCycle best              = table[0];
  for (PerCycle const& p : table) {
    if (p.compute_capability <= compute_capability) best = p;
  }
  double const cycles = clock * multiprocessors;
  DeviceModel d;
  d.name               = name;
  d.compute_capability = compute_capability;
  d.multiprocessors    = multiprocessors;
  d.l2_bytes           = l2_bytes;
  d.bandwidth          = memory_bandwidth;
  d.float_rate         = best.float_ * cycles;
  d.double_rate        = best.double_ * cycles;
  d.half_tensor        = best.half_tensor * cycles;
  d.tf32_tensor        = 0.5 * d.half_tensor;
  d.double_tensor      = best.double_tensor * cycles;
  add_derived_rates(d);
  d        = reached(d);
  d.source = "the device's properties, times the fractions measured on an H200";
  return d;
}

void check_device(DeviceModel const& d) {
  auto const bad = [&](std::string const& what) {
    throw Error("device description of \"" + shown(d.name) + "\": " + what);
  };
  if (!good_name(d.name) || !good_source(d.source)) {
    bad("name and source must be lines of at most " + std::to_string(most_characters) +
        " characters, none of them a control character, the name in ASCII");
  }
  for (Field const& f : fields) {
    if (d.*f.value == 0.0 && f.needed) bad(std::string(f.name) + " is missing; it must be " + allowed(f));
    if (!good(f, d.*f.value)) bad(f.name + (" is " + Model::number_text(d.*f.value)) + ", and must be " + allowed(f));
  }
  auto const within = [&](char const* name, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value >= least && value <= most) return;
    bad(name + (" is " + std::to_string(value)) + ", and must be from " + std::to_string(least) + " to " +
        std::to_string(most));
  };
  if (d.efficiencies.size() > most_efficiencies)
    bad("more than " + std::to_string(most_efficiencies) + " efficiencies");
  for (auto const& [name, value] : d.efficiencies) {
    if (!good_efficiency_name(name)) bad("\"" + shown(name) + "\" is no name of an efficiency");
    if (!(value >= least_efficiency && value <= most_efficiency)) {
      bad("the efficiency " + name + " is " + Model::number_text(value) + ", and must be from " +
          Model::number_text(least_efficiency) + " to " + Model::number_text(most_efficiency));
    }
  }
  within("compute_capability", d.compute_capability, 0, most_capability);
  within("multiprocessors", d.multiprocessors, 1, most_multiprocessors);
  within("l2_bytes", d.l2_bytes, 0, most_l2_bytes);
}

DeviceModel read_device(std::string const& text, DeviceModel base) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream in(line.substr(0, line.find('#')));
    std::string key;
    if (!(in >> key)) continue;
    std::string value;
    std::getline(in >> std::ws, value);
    while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back()))) value.pop_back();
    auto const bad = [&](std::string const& what) {
      throw Error("device description, line " + std::to_string(number) + ": " + what + " in \"" + shown(line) + "\"");
    };
    auto const amount = [&](double least, double most) {
      std::optional<double> const read = Model::read_number(value, least, most);
      if (!read) bad("no number from " + Model::number_text(least) + " to " + Model::number_text(most));
      return *read;
    };
    auto const* const field =
        std::find_if(std::begin(fields), std::end(fields), [&](Field const& f) { return key == f.name; });
    if (key == "name" || key == "source") {
      (key == "name" ? base.name : base.source) = value;
      if (!good_name(base.name) || !good_source(base.source)) {
        bad("control characters, a name not in ASCII, or more than " + std::to_string(most_characters) + " characters");
      }
    } else if (field != std::end(fields)) {
      std::optional<double> const read = Model::read_number(value);
      if (!read || !good(*field, *read)) bad("no number that is " + allowed(*field));
      base.*field->value = *read;
    } else if (key == "compute_capability") {
      base.compute_capability = static_cast<int>(std::lround(10.0 * amount(0.0, most_capability / 10)));
    } else if (key == "multiprocessors") {
      base.multiprocessors = static_cast<int>(amount(1.0, most_multiprocessors));
    } else if (key == "efficiency") {
      std::string const name = value.substr(0, value.find_first_of(" \t"));
      if (!good_efficiency_name(name) || name.size() == value.size()) bad("no name and number of an efficiency");
      value                   = value.substr(value.find_first_not_of(" \t", name.size()));
      base.efficiencies[name] = amount(least_efficiency, most_efficiency);
      if (base.efficiencies.size() > most_efficiencies) bad("too many efficiencies");
    } else if (key == "l2_bytes") {
      base.l2_bytes = static_cast<std::int64_t>(amount(0.0, static_cast<double>(most_l2_bytes)));
    } else {
      bad("\"" + shown(key) + "\" is not known");
    }
  }
  check_device(base);
  return base;
}

std::string device_text(DeviceModel const& d) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << "name " << d.name << "\n";
  text << "compute_capability " << d.compute_capability / 10 << "." << d.compute_capability % 10 << "\n";
  text << "multiprocessors " << d.multiprocessors << "\n";
  text << "l2_bytes " << d.l2_bytes << "\n";
  for (Field const& f : fields) text << f.name << " " << Model::number_text(d.*f.value) << "\n";
  text << "source " << d.source << "\n";
  for (auto const& [name, value] : d.efficiencies)
    text << "efficiency " << name << " " << Model::number_text(value) << "\n";
  return text.str();
}

void set_device_model(DeviceModel const& device) {
  check_device(device);
  Described& d = described();
  std::lock_guard<std::mutex> const lock(d.mutex);
  d.devices.push_back(std::make_unique<DeviceModel const>(device));
}

DeviceModel const* described_device(std::string const& name) {
  Described& d = described();
  {
    std::lock_guard<std::mutex> const lock(d.mutex);
    for (auto k = d.devices.rbegin(); k != d.devices.rend(); ++k) {
      if ((*k)->name.empty() || (*k)->name == name) return k->get();
    }
  }
  for (DeviceModel const& known : known_devices()) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

}  // namespace KokkosStencil
