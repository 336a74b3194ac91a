// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Blocks.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// The boundary between the templates of KokkosStencil_Distributed.hpp and the library, free of types of Views.

namespace KokkosStencil {
namespace Impl {

/// What Decomposition sets beside the cuts.
struct RanksSettings {
  double time_limit    = 300.0;  ///< seconds that a process waits for others
  bool device_pointers = false;  ///< MPI takes pointers to the memory of devices
  int overlap          = -1;     ///< 1: always, 0: never, -1: where it pays
  std::string engine;            ///< that is forced; empty: the environment's, or what is there
  NetworkInfo network;
  bool network_given = false;  ///< by the user: no prediction of a backend is asked for
};

/// Seconds for RanksSettings that fit into whole nanoseconds. Throws Error for what is no time.
double checked_time_limit(double seconds);
/// The same numbers. Throws Error for those that nothing can be predicted from.
NetworkInfo checked_network(NetworkInfo const& network);
/// Throws Error if a reach is negative.
void check_reach(int rank, std::array<int, 3> const& reach);

class Transport;

/// Bytes of a message from each direction; a direction is a number of three digits to the base 3.
using DirectionBytes = std::array<std::size_t, 27>;

/// The engine that is forced, by a Decomposition or the environment; empty if none is. Throws Error for unknown names.
std::string forced_engine(std::string const& setting);

/// One process among those that share a field: a communicator of its own, its place, its block.
class Ranks {
 public:
  Ranks(MPI_Comm comm, Cuts cuts, RanksSettings const& settings);
  ~Ranks();
  Ranks(Ranks const&)            = delete;
  Ranks& operator=(Ranks const&) = delete;

  /// A duplicate of the communicator given, made by the first call; all processes make that together.
  MPI_Comm comm() const;
  RanksSettings const& settings() const { return m_settings; }
  int me() const { return m_me; }
  int processes() const { return m_processes; }
  Cuts const& cuts() const { return m_cuts; }
  std::array<int, 3> const& place() const { return m_place; }
  std::array<int, 3> place_of(int process) const;
  /// The process at a place, going round periodic axes; -1 outside.
  int at(std::array<int, 3> place) const;
  /// The points of a process, in indices of the whole field.
  PointBox owned(int process) const;
  bool cut(std::size_t axis) const { return m_cuts.ranks[axis] > 1; }
  /// Whether a neighbour lies past a face.
  bool shared(std::size_t axis, std::size_t side) const;
  /// Points of the smallest block along an axis.
  std::int64_t thinnest(std::size_t axis) const;

  // MPI with errors that name the call and the neighbour.

  /// Posts the parts of a message.
  void post(std::string const& label, bool send, int peer, int tag, void* data, std::size_t bytes,
            std::vector<MPI_Request>& requests, std::vector<int>& peers) const;
  /// Waits for all requests, no longer than the time limit; a message's peer is the one of the same number. `more` is
  /// called again and again, may add requests, and says whether there will be none.
  void wait(std::string const& label, char const* call, std::vector<MPI_Request>& requests,
            std::vector<int> const& peers, std::function<bool()> const& more = {}) const;
  /// Waits for all processes, but no longer than so many seconds; whether they came.
  bool barrier(double seconds) const;
  /// Whether a wait has ended by the time limit. Memory of messages then stays as it is.
  bool broken() const { return m_broken; }
  /// What every process says, in the order of ranks.
  void all_gather(std::string const& label, void const* mine, void* all, int bytes) const;

  /// What a process may ask the others for; bits of a number.
  static constexpr std::uint64_t ask_connection  = 1;  ///< connect()
  static constexpr std::uint64_t ask_preparation = 2;  ///< to hear whether all could prepare what is new
  /// Throws Error on every process if they differ in `text`, or if it is an error (`failure` is not empty) on one; says
  /// what was different, and where. What any of them asks for.
  std::uint64_t agree(std::string const& label, std::string const& text, std::string const& failure = "",
                      std::uint64_t ask = 0) const;

  /// The engine that works in the order of a stream, if there is one; else null, and MPI moves data.
  std::shared_ptr<Transport> const& stream_engine() const { return m_engine; }
  /// Whether fields on such a space need connect(), for messages of so many bytes.
  bool needs_connection(SpaceInfo const& space, DirectionBytes const& receive) const;
  /// Chooses the engine and gives it memory; all processes do it together.
  void connect(std::string const& label, SpaceInfo const& space, DirectionBytes const& receive) const;
  /// Why engines were not taken; a line each.
  std::string const& engine_notes() const { return m_engine_notes; }

  /// Objects that are made once and kept, by what they depend on. They must not keep this alive.
  std::shared_ptr<void> recall(std::string const& key) const;
  void keep(std::string const& key, std::shared_ptr<void> object) const;

 private:
  /// Starts a collective call on memory of its own and waits for it.
  void collective(std::string const& label, char const* call, std::size_t bytes,
                  std::function<int(char*, MPI_Request*)> const& start,
                  std::function<void(char const*)> const& finish) const;

  struct Kept {
    std::string key;
    std::shared_ptr<void> object;
  };

  MPI_Comm m_given;
  mutable MPI_Comm m_comm = MPI_COMM_NULL;
  mutable bool m_broken   = false;
  mutable bool m_decided  = false;  ///< which engine devices use
  mutable std::shared_ptr<Transport> m_engine;
  mutable std::string m_engine_notes;
  int m_me = 0, m_processes = 1;
  Cuts m_cuts;
  RanksSettings m_settings;
  std::array<int, 3> m_place{};
  mutable std::vector<Kept> m_kept;
};

/// Throws Error unless `code` is MPI_SUCCESS: names the call, the rank, and the neighbour if there is one (else -1).
void check_mpi(std::string const& label, int code, char const* call, int me, int neighbour);

/// Ghost layers of a View along each axis, on each side where there is a neighbour. Throws Error if the extents are not
/// those of the block with such layers, or if the layers are deeper than the thinnest block.
Extents3 layers_of(std::string const& label, Ranks const& ranks, ViewInfo const& view);
/// Sweeps that one exchange should feed on a device: the least time a sweep, as backends predict it for the largest
/// block and the engine's numbers say it. The same on all processes.
int choose_device_sweeps(Ranks const& ranks, std::vector<Term> const& terms, ValueType type, int value_size,
                         SpaceInfo const& space);
/// The layers that feed so many sweeps, more where rows then are whole vectors of so many values (layers_of_rows).
/// Throws Error if they are deeper than the thinnest block.
Extents3 wanted_layers(Ranks const& ranks, std::array<int, 3> const& reach, std::int64_t sweeps,
                       std::int64_t row_values);
/// The sweeps that such layers feed; 0 if there are none.
int sweeps_of(Ranks const& ranks, std::array<int, 3> const& reach, Extents3 const& layers);
/// Index in such a View of the first point of the block.
Extents3 first_of(Ranks const& ranks, Extents3 const& layers);

/// Memory of an execution space, and copies of boxes into it.
class Packer {
 public:
  Packer(std::string const& label, SpaceInfo const& space);
  ~Packer();
  /// Memory that lives as long as this.
  char* allocate(std::size_t bytes);
  /// Copies all points of a View to `to`, in the order of its strides.
  void pack(Launch const& launch, ViewInfo const& view, char* to) const;

  struct Parts;

 private:
  std::unique_ptr<Parts> m_parts;
};

/// Updates the ghost layers of several fields from the neighbours that own the points: one message to and from each,
/// packed by one kernel unless it is a single stretch of memory. The ranks must outlive it.
class Exchange {
 public:
  /// Where the points that leave in a direction are read: a View, and the index in the field of its first point.
  struct Source {
    ViewInfo view;
    Extents3 origin{{0, 0, 0}};
  };
  using Direction = std::array<int, 3>;

  /// For fields of these extents and value types; places and strides may be others in each call.
  Exchange(std::string const& label, Ranks const& ranks, std::vector<ViewInfo> const& fields, SpaceInfo const& space);
  ~Exchange();

  /// Whether Ranks::connect is to be called, and what with.
  bool needs_connection() const;
  DirectionBytes receive_bytes() const;
  /// Allocates, once it is known which engine there is. `lane`: makes a stream of its own. If that fails, it may be
  /// called again.
  void prepare(bool lane = false);
  bool prepared() const;

  /// Packs and sends. Fields named by `to` are not touched until finish(): what arrives may be put there at once.
  /// `beside`: on the stream of its own, if there is one.
  void start(Launch const& launch, std::function<Source(Direction const&, std::size_t)> const& source,
             std::vector<ViewInfo> const* to = nullptr, bool beside = false);
  /// Whether start_when() can send from such a field.
  bool copies(Launch const& launch, ViewInfo const& field) const;
  /// Sends once a counter on the device has reached `value`: then the points that leave are complete, and from then on
  /// nothing else touches the ghost layers until finish(). What counts has been enqueued before.
  void start_when(Launch const& launch, std::uint32_t* counter, std::uint32_t value, ViewInfo const& field);
  /// Enqueues what writes the ghost layers, once the neighbours' points are there.
  void finish(Launch const& launch, std::vector<ViewInfo> const& fields);
  /// Both, from the fields themselves.
  void run(Launch const& launch, std::vector<ViewInfo> const& fields);

  /// Bytes that this process sends each time, and to how many neighbours.
  std::size_t bytes() const;
  std::size_t messages() const;
  std::string engine() const;

  struct Parts;

 private:
  std::unique_ptr<Parts> m_parts;
};

/// A StencilPolicy over ranks without its types: range and faces are those of the whole field.
struct RanksPolicy {
  PolicyInfo whole;
  std::shared_ptr<Ranks const> ranks;
};

/// The same for a View of the block of this process, and a window of the given reach. Throws Error for misuse.
PolicyInfo local_policy(std::string const& label, RanksPolicy const& policy, ViewInfo const& view,
                        std::array<int, 3> const& lower, std::array<int, 3> const& upper);

/// How sweeps of a functor alternate with exchanges.
struct FunctorPeriod {
  PolicyInfo local;            ///< of the block: the last sweep of a period
  std::int64_t sweeps = 1;     ///< that one exchange feeds
  std::array<int, 3> reach{};  ///< of the states
  bool around[2]{};            ///< whether neighbours of states, of constants are read

  /// The range of a sweep that `left` others follow, with those ghost points that they need.
  PointBox range(std::int64_t left) const;
};
/// Throws Error for misuse. `radius`: of fields that declare none.
FunctorPeriod functor_period(std::string const& label, RanksPolicy const& policy, std::array<int, 3> const& radius,
                             std::vector<FieldInfo> const& states, std::vector<FieldInfo> const& constants);

/// A plan over ranks, which must outlive it.
class RanksPlan {
 public:
  RanksPlan(std::string const& label, RanksPolicy const& policy, TermList terms, ViewInfo const& in,
            ViewInfo const& out, SpaceInfo const& space, Launch const& launch);
  ~RanksPlan();

  /// For Ranks::connect, and what comes after it.
  Exchange& exchange() const;
  void prepare(Launch const& launch) const;
  bool prepared() const;

  /// Throws Error unless the Views have the shapes the plan was made for and do not overlap.
  void check(std::string const& label, ViewInfo const& in, ViewInfo const& out) const;
  void sweep(Launch const& launch, ViewInfo const& in, ViewInfo const& out) const;
  /// Whether the newest state is in b. `agree`: both have the same values outside the range.
  bool iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps,
               bool agree = false) const;
  UntilResult iterate_until(Launch const& launch, ViewInfo const& a, ViewInfo const& b, StoppingCriterion const& until,
                            bool& in_b) const;
  std::string explain() const;
  std::string const& backend(std::int64_t steps) const;
  std::string engine() const;

  struct Parts;

 private:
  /// What has been made already of the first exchange and the passes after it.
  enum class Begun { nothing, exchange, pass };
  bool iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps, bool agree,
               Begun begun) const;

  std::unique_ptr<Parts> m_parts;
};

/// A plan for a call that all processes make: the one of an earlier call, or a new one. Throws Error on all processes
/// if their calls differ, or if one of them may not be made. `what` is the rest of the call (steps and so on), and
/// `check` throws Error if that is wrong.
std::shared_ptr<RanksPlan const> agreed_plan(std::string const& label, std::string const& what,
                                             std::function<void()> const& check, RanksPolicy const& policy,
                                             TermList const& terms, ViewInfo const& in, ViewInfo const& out,
                                             SpaceInfo const& space, Launch const& launch);

/// What updates the ghost layers of such fields, of an earlier call or new. All processes ask for it together; Error on
/// all if they differ.
std::shared_ptr<Exchange> agreed_exchange(std::string const& label, std::shared_ptr<Ranks const> const& ranks,
                                          std::vector<ViewInfo> const& fields, SpaceInfo const& space,
                                          Launch const& launch);
/// Updates the ghost layers of several fields, which all processes do together.
void exchange_fields(std::string const& label, std::shared_ptr<Ranks const> const& ranks,
                     std::vector<ViewInfo> const& fields, SpaceInfo const& space, Launch const& launch);

/// Throws Error unless there is such a process.
void check_root(std::string const& label, Ranks const& ranks, int root);

/// Copies the blocks of all processes, packed row-major in host memory, into the whole field on `root`, or back.
void collect(std::string const& label, Ranks const& ranks, int root, int value_bytes, void const* block, void* whole);
void distribute(std::string const& label, Ranks const& ranks, int root, int value_bytes, void const* whole,
                void* block);

}  // namespace Impl
}  // namespace KokkosStencil
