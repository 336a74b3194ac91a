// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Error.hpp>

#include <model/Tuned.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <locale>
#include <map>
#include <string>

namespace KokkosStencil {
namespace {

TEST(Device, FoundByWords) {
  EXPECT_EQ(find_device(known_devices(), "h200")->name, "NVIDIA H200");
  EXPECT_EQ(find_device(known_devices(), "gh200")->name, "NVIDIA GH200 480GB");
  EXPECT_EQ(find_device(known_devices(), "A100")->name, "NVIDIA A100 80GB PCIe");
  EXPECT_EQ(find_device(known_devices(), "a100 sxm4 40gb")->name, "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(find_device(known_devices(), "NVIDIA H100 PCIe")->name, "NVIDIA H100 PCIe");
  EXPECT_EQ(find_device(known_devices(), "A10")->name, "NVIDIA A10");
  EXPECT_EQ(find_device(known_devices(), "L4")->name, "NVIDIA L4");
  EXPECT_EQ(find_device(known_devices(), "K80"), nullptr);
  EXPECT_EQ(find_device(known_devices(), ""), nullptr);
}

TEST(Device, KernelsReachLessThanTheDataSheet) {
  ASSERT_EQ(known_devices().size(), data_sheets().size());
  for (std::size_t k = 0; k < known_devices().size(); ++k) {
    DeviceModel const &reached = known_devices()[k], &sheet = data_sheets()[k];
    SCOPED_TRACE(sheet.name);
    EXPECT_EQ(reached.name, sheet.name);
    EXPECT_LT(reached.bandwidth, sheet.bandwidth);
    for (ComputeUnit const unit : {ComputeUnit::cores, ComputeUnit::tensor_cores, ComputeUnit::sparse_tensor_cores}) {
      for (ValueType const type : {ValueType::float64, ValueType::float32, ValueType::float16}) {
        EXPECT_LE(reached.rate(unit, type), sheet.rate(unit, type));
        EXPECT_GT(reached.rate(unit, type), 0.3 * sheet.rate(unit, type) - 1.0);
      }
    }
    EXPECT_GT(reached.multiprocessors, 0);
    EXPECT_FALSE(reached.source.empty());
  }
}

TEST(Device, PropertiesComeNearTheTable) {
  // An unknown GPU with the properties of a known one.
  struct Known {
    char const* name;
    double clock;
  };
  for (Known const& k :
       {Known{"NVIDIA A100 80GB PCIe", 1.41e9}, Known{"NVIDIA H200", 1.98e9}, Known{"NVIDIA L40S", 2.52e9}}) {
    SCOPED_TRACE(k.name);
    DeviceModel const &t = *find_device(known_devices(), k.name), &sheet = *find_device(data_sheets(), k.name);
    DeviceModel const d =
        device_from_properties("new", t.compute_capability, t.multiprocessors, t.l2_bytes, k.clock, sheet.bandwidth);
    EXPECT_NEAR(d.bandwidth / t.bandwidth, 1.0, 0.02);
    for (ComputeUnit const unit : {ComputeUnit::cores, ComputeUnit::tensor_cores, ComputeUnit::sparse_tensor_cores}) {
      for (ValueType const type : {ValueType::float64, ValueType::float32, ValueType::bfloat16}) {
        if (t.rate(unit, type) > 0.0) {
          EXPECT_NEAR(d.rate(unit, type) / t.rate(unit, type), 1.0, 0.1) << to_string(unit) << to_string(type);
        }
      }
    }
  }
}

TEST(Device, TextGoesThereAndBack) {
  for (DeviceModel const& d : known_devices()) {
    DeviceModel const copy = read_device(device_text(d));
    EXPECT_EQ(device_text(copy), device_text(d));
    EXPECT_EQ(copy.compute_capability, d.compute_capability);
    EXPECT_EQ(copy.multiprocessors, d.multiprocessors);
  }
  DeviceModel const changed = read_device("# mine\n bandwidth 1e12 # slower\n\n", known_devices()[0]);
  EXPECT_EQ(changed.bandwidth, 1e12);
  EXPECT_EQ(changed.name, known_devices()[0].name);
}

TEST(Device, TextThatIsWrongIsNamed) {
  for (char const* text : {"bandwidth",
                           "bandwidth fast",
                           "bandwidth -1",
                           "bandwidth nan",
                           "bandwidth 1e12 GB/s",
                           "band width 1",
                           "bandwidth 0",
                           "bandwidth 1e300",
                           "bandwidth 1e999",
                           "bandwidth inf",
                           "bandwidth 1",
                           "double_rate 0",
                           "half_tensor 1e300",
                           "half_tensor 1",
                           "launch_seconds 2",
                           "launch_seconds nan",
                           "multiprocessors 0",
                           "multiprocessors 1e12",
                           "l2_bytes -1",
                           "l2_bytes 1e300",
                           "compute_capability 1e12",
                           "compute_capability nan"}) {
    try {
      read_device(std::string("name x\n") + text);
      ADD_FAILURE() << text;
    } catch (Error const& e) {
      EXPECT_NE(std::string(e.what()).find("line 2"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
    }
  }
}

TEST(Device, TextHasEfficiencies) {
  DeviceModel d                                 = known_devices()[0];
  d.efficiencies["cuda_direct/float/star-2d1r"] = 0.975;
  d.efficiencies["cuda_temporal/lines/rate"]    = 9.5e12;
  DeviceModel const read                        = read_device(device_text(d));
  EXPECT_EQ(read.efficiencies, d.efficiencies);
  EXPECT_EQ(device_text(read), device_text(d));
  // Later lines replace; others stay.
  DeviceModel const more = read_device("efficiency\tcuda_temporal/lines/rate   1e13  # fitted\n", read);
  EXPECT_EQ(more.efficiencies.at("cuda_temporal/lines/rate"), 1e13);
  EXPECT_EQ(more.efficiencies.size(), 2u);
  for (char const* line : {"efficiency", "efficiency a", "efficiency a b", "efficiency a -1", "efficiency a 0",
                           "efficiency a nan", "efficiency a inf", "efficiency a 1e300", "efficiency a 1 2",
                           "efficiency a 1e-300", "efficiency \033[31m 1", "efficiency \xc3\xa4 1"}) {
    try {
      read_device(line, d);
      ADD_FAILURE() << line;
    } catch (Error const& e) {
      EXPECT_NE(std::string(e.what()).find("line 1"), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).find('\033'), std::string::npos);
    }
  }
  EXPECT_THROW(read_device("efficiency " + std::string(1000, 'a') + " 1", d), Error);
  std::string many;
  for (int k = 0; k < 10001; ++k) many += "efficiency a" + std::to_string(k) + " 1\n";
  EXPECT_THROW(read_device(many, d), Error);
  for (auto const& [name, value] :
       std::map<std::string, double>{{"", 1}, {"a b", 1}, {"a#", 1}, {"a", NAN}, {"a", -1}}) {
    DeviceModel wrong        = known_devices()[0];
    wrong.efficiencies[name] = value;
    EXPECT_THROW(check_device(wrong), Error) << name << value;
  }
}

TEST(Tuned, AreTheDevicesIfItHasThem) {
  DeviceModel d    = known_devices()[0];
  auto const value = [&] { return Model::tuned(d, 0.5, [] { return std::string("kernel"); }); };
  EXPECT_EQ(value(), 0.5);
  d.efficiencies["other"] = 0.25;
  EXPECT_EQ(value(), 0.5);
  d.efficiencies["kernel"] = 0.75;
  EXPECT_EQ(value(), 0.75);
  EXPECT_EQ(Model::tuned(d, 0.0, [] { return std::string("kernel"); }), 0.0);
  Model::EfficiencyTrace const trace;
  EXPECT_TRUE(trace.read().empty());
  value();
  EXPECT_EQ(trace.read(), (std::map<std::string, double>{{"kernel", 0.75}}));
  EXPECT_THROW(Model::EfficiencyTrace(), Error);
}

std::string reason(std::string const& text) {
  try {
    read_device(text);
    return "";
  } catch (Error const& e) {
    return e.what();
  }
}

TEST(Device, TextMustSayWhatPredictionsNeed) {
  std::string const whole = "bandwidth 1e12\nfloat_rate 1e13\ndouble_rate 1e12\n";
  EXPECT_EQ(reason(whole + "half_tensor 0\nl2_bandwidth 0\n"), "");
  EXPECT_NE(reason("").find("bandwidth is missing"), std::string::npos) << reason("");
  EXPECT_NE(reason("bandwidth 1e12\nfloat_rate 1e13\n").find("double_rate is missing"), std::string::npos);
  // What terminals and tuning files would take for more than a name.
  EXPECT_NE(reason(whole + "name a\tb"), "");
  EXPECT_NE(reason(whole + "name \033[31mred"), "");
  EXPECT_NE(reason(whole + "name " + std::string(1000, 'x')), "");
  // Errors stay short and can be printed.
  std::string const said = reason("bandwidth \033[31m" + std::string(100000, '1'));
  EXPECT_LT(said.size(), 300u);
  EXPECT_EQ(said.find('\033'), std::string::npos);
}

TEST(Device, NumbersDoNotDependOnTheLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  DeviceModel const& d     = known_devices()[0];
  std::string const text   = device_text(d);
  std::locale const before = std::locale::global(std::locale(std::locale(), new Comma));
  EXPECT_EQ(device_text(d), text);
  EXPECT_EQ(device_text(read_device(text)), text);
  std::locale::global(before);
}

TEST(Device, TheUsersNumbersAreChecked) {
  for (double const value : {0.0, -1.0, 1e300, double(NAN), double(INFINITY)}) {
    DeviceModel d = known_devices()[0];
    d.bandwidth   = value;
    EXPECT_THROW(set_device_model(d), Error) << value;
  }
  DeviceModel d     = known_devices()[0];
  d.multiprocessors = 0;
  EXPECT_THROW(set_device_model(d), Error);
}

TEST(Device, TheUsersDescriptionGoesFirst) {
  EXPECT_EQ(described_device("NVIDIA H200"), find_device(known_devices(), "h200"));
  EXPECT_EQ(described_device("Mine"), nullptr);
  DeviceModel mine = known_devices()[0];
  mine.name        = "Mine";
  mine.bandwidth   = 1e12;
  set_device_model(mine);
  ASSERT_NE(described_device("Mine"), nullptr);
  EXPECT_EQ(described_device("Mine")->bandwidth, 1e12);
  mine.bandwidth = 2e12;
  set_device_model(mine);
  EXPECT_EQ(described_device("Mine")->bandwidth, 2e12);
  EXPECT_EQ(described_device("NVIDIA H200"), find_device(known_devices(), "h200"));
}

}  // namespace
}  // namespace KokkosStencil
