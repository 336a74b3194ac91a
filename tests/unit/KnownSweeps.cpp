// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/KokkosStencil_KnownSweeps.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>

// What calls of a sweep remember: a call that differs in anything is looked at again, the same one is not.

namespace KokkosStencil {
namespace Impl {
namespace {

struct Asked {
  PolicyInfo policy;
  std::array<int, 3> radius{{1, 1, 1}};
  std::array<FieldInfo, 2> in;
  std::array<ViewInfo, 1> out;
};

class KnownSweepsTest : public testing::Test {
 protected:
  KnownSweepsTest() {
    m_asked.policy.rank     = 2;
    m_asked.in[0].view.data = &m_memory[0];
    m_asked.in[1].view.data = &m_memory[1];
    m_asked.out[0].data     = &m_memory[2];
  }
  /// The range that it knows, which is the number of the check that found it.
  std::int64_t ask(Asked const& a) {
    return m_known
        .of(a.policy, a.radius, a.in, a.out,
            [&] {
              KnownSweep found;
              found.where.range.begin[0] = ++m_checks;
              return found;
            })
        .where.range.begin[0];
  }

  double m_memory[4] = {};
  Asked m_asked;
  KnownSweeps<2, 1> m_known;
  std::int64_t m_checks = 0;
};

TEST_F(KnownSweepsTest, ChecksTheSameCallOnce) {
  for (int n = 0; n < 3; ++n) EXPECT_EQ(ask(m_asked), 1);
  EXPECT_EQ(m_checks, 1);
}

TEST_F(KnownSweepsTest, KnowsTwoCallsThatTakeTurns) {
  Asked back = m_asked;
  std::swap(back.in[0].view.data, back.out[0].data);
  for (int n = 0; n < 3; ++n) {
    EXPECT_EQ(ask(m_asked), 1);
    EXPECT_EQ(ask(back), 2);
  }
  // A third one takes the place of the oldest.
  Asked other           = m_asked;
  other.in[1].view.data = &m_memory[3];
  EXPECT_EQ(ask(other), 3);
  EXPECT_EQ(ask(back), 2);
  EXPECT_EQ(ask(m_asked), 4);
}

TEST_F(KnownSweepsTest, LooksAgainIfAnythingDiffers) {
  std::function<void(Asked&)> const changes[] = {
      [](Asked& a) { a.policy.rank = 3; },
      [](Asked& a) { a.policy.whole = false; },
      [](Asked& a) { a.policy.begin[1] = 1; },
      [](Asked& a) { a.policy.end[0] = 1; },
      [](Asked& a) { a.policy.faces[1][0] = Face::edge(); },
      [](Asked& a) { a.policy.faces[0][1] = Face::value(2.0); },
      [](Asked& a) { a.policy.faces[0][1] = Face::value(3.0); },
      [](Asked& a) { a.policy.faces[0][1] = Face::value(0.0); },
      [](Asked& a) { a.policy.faces[0][1] = Face::value(-0.0); },
      [](Asked& a) { a.policy.faces[0][0] = Face::shared(2); },
      [](Asked& a) { a.radius[2] = 2; },
      [this](Asked& a) { a.in[1].view.data = &m_memory[3]; },
      [](Asked& a) { a.in[0].view.extent[0] = 7; },
      [](Asked& a) { a.in[0].view.stride[1] = 7; },
      [](Asked& a) { a.in[1].reach.before[0] = 2; },
      [](Asked& a) { a.in[1].reach.behind[2] = 2; },
      [](Asked& a) { a.out[0].extent[2] = 9; },
      [](Asked& a) { a.out[0].value_size = 4; },
      [](Asked& a) { a.out[0].value_type = ValueType::float32; },
  };
  for (auto const& change : changes) {
    ask(m_asked);
    std::int64_t const before = m_checks;
    Asked other               = m_asked;
    change(other);
    ask(other);
    EXPECT_EQ(m_checks, before + 1);
    m_asked = other;
  }
}

TEST_F(KnownSweepsTest, ForgetsWhatFailed) {
  auto const fails = [&]() -> KnownSweep { throw std::runtime_error("no"); };
  ask(m_asked);
  Asked other       = m_asked;
  other.radius      = {{2, 2, 2}};
  auto const try_it = [&] { m_known.of(other.policy, other.radius, other.in, other.out, fails); };
  EXPECT_THROW(try_it(), std::runtime_error);
  EXPECT_THROW(try_it(), std::runtime_error);
  EXPECT_EQ(ask(other), 2);
}

TEST(KnownSweepPlan, IsThatOfTheKernelAndTheDevice) {
  KnownSweep sweep;
  char const one = 0, two = 0;
  int made         = 0;
  bool any         = true;
  auto const teams = [&](char const& kernel, int device) {
    return sweep
        .plan_of(&kernel, device,
                 [&] {
                   CellPlan plan;
                   plan.any   = any;
                   plan.teams = static_cast<std::uint32_t>(++made);
                   return plan;
                 })
        .teams;
  };
  EXPECT_EQ(teams(one, 0), 1u);
  EXPECT_EQ(teams(one, 0), 1u);
  EXPECT_EQ(teams(one, 1), 2u);
  EXPECT_EQ(teams(two, 1), 3u);
  EXPECT_EQ(teams(two, 1), 3u);
  // A kernel without a plan is asked again.
  any = false;
  EXPECT_EQ(teams(one, 1), 4u);
  EXPECT_EQ(teams(one, 1), 5u);
}

}  // namespace
}  // namespace Impl
}  // namespace KokkosStencil
