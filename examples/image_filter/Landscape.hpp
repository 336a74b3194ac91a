// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Image.hpp"

namespace example {

/// A landscape at dusk with mountains, a lake and the grain of a photograph. The same every time.
Image landscape(int width, int height);

}  // namespace example
