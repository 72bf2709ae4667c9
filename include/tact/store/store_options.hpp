// tact::store_options: how a store file is opened.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>

namespace tact {

struct store_options {
  // How long a write may be answered before it is durable. 0: it is answered when it is. With more, what was answered
  // in this time before the power fails may be lost; what is there afterwards is the state of one moment, whole.
  std::chrono::milliseconds durable_within{0};
  // The part of the address space that is kept for the file, in bytes. It costs no memory and no disk. A file that
  // outgrows it gets more, for which the store must wait until no snapshot is held.
  std::size_t map_bytes = std::size_t{64} << 30;
  // How many snapshots there can be at a time, in all processes: those that are held, and one for each thread that
  // reads at this moment. The process that opens a file first decides it. It is 126 at least, and 65,536 at most.
  unsigned readers_max = 2048;
  // How many tables the file can have; 4,096 at most.
  unsigned tables_max = 64;
  // A snapshot that is held for longer is told to stderr once, by its name. 0: none is.
  std::chrono::milliseconds snapshot_limit{std::chrono::minutes(1)};
  // A snapshot that is held for longer than snapshot_limit is ended: its reads throw store_error.
  bool end_old_snapshots = false;
  // Nothing is written; another process may write meanwhile. The file must be there.
  bool read_only = false;
};
// Prints the options as the C++ that makes them.
std::ostream& operator<<(std::ostream&, const store_options&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
