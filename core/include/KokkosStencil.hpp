// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

/// \file
/// Everything of KokkosStencil.

#include <KokkosStencil_Accuracy.hpp>
#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Boundary.hpp>
#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Error.hpp>
#include <KokkosStencil_ErrorBound.hpp>
#include <KokkosStencil_Functor.hpp>
#include <KokkosStencil_Iterate.hpp>
#include <KokkosStencil_ParallelFor.hpp>
#include <KokkosStencil_Plan.hpp>
#include <KokkosStencil_Policy.hpp>
#include <KokkosStencil_Problem.hpp>
#include <KokkosStencil_Stencil.hpp>
#include <KokkosStencil_Step.hpp>
#include <KokkosStencil_Term.hpp>
#include <KokkosStencil_Tuning.hpp>
#include <KokkosStencil_Until.hpp>
#include <KokkosStencil_Update.hpp>
#include <KokkosStencil_Version.hpp>
