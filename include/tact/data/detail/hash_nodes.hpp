// The nodes of a hash_trie: what lies in them, and how they are made, copied and ended.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "tact/data/detail/hash_bucket.hpp"
#include "tact/data/detail/shared_node.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/message_type.hpp"

namespace tact::detail {

// A hash of which each bit is as good as the others.
using mixed_hash = std::uint64_t;
inline constexpr unsigned hash_bits = 64;

// A link to a node, which says what the node is: by how many bits of the hash an inner node chooses among its children;
// or it is a leaf, or a bucket.
class trie_link {
 public:
  static constexpr unsigned bucket_kind = 15;

  trie_link() noexcept = default;
  trie_link(shared_node* n, unsigned kind) noexcept : bits_(reinterpret_cast<std::uintptr_t>(n) | kind) {}

  explicit operator bool() const noexcept { return bits_ != 0; }
  [[nodiscard]] bool is_leaf() const noexcept { return kind() == 0; }  // or null
  [[nodiscard]] bool is_bucket() const noexcept { return kind() == bucket_kind; }
  [[nodiscard]] bool is_inner() const noexcept { return !is_leaf() && !is_bucket(); }
  // By so many bits; no node below chooses among children: 0.
  [[nodiscard]] unsigned fan() const noexcept { return is_bucket() ? 0 : kind(); }
  template <class Node>
  [[nodiscard]] Node* as() const noexcept {
    return static_cast<Node*>(reinterpret_cast<shared_node*>(bits_ & ~kind_mask));
  }
  [[nodiscard]] shared_node& node() const noexcept { return *as<shared_node>(); }
  friend bool operator==(trie_link, trie_link) = default;

 private:
  static constexpr std::uintptr_t kind_mask = 15;  // blocks are aligned to 16
  [[nodiscard]] unsigned kind() const noexcept { return static_cast<unsigned>(bits_ & kind_mask); }

  std::uintptr_t bits_ = 0;
};

// A leaf has one entry at least; where there is none, the link is null. Thread safety: that of an int; different tries
// may share nodes.
template <class Rules>
struct hash_nodes {
  using entry = typename Rules::entry;
  using key = typename Rules::key;
  using slot = entry_slot<entry>;
  using bucket = hash_bucket<Rules>;

  static constexpr std::size_t most_tags = 32;

  // The tag of an entry is the least significant byte of its hash.
  struct alignas(8) leaf_node : shared_node {
    explicit leaf_node(std::size_t r) noexcept : room(static_cast<unsigned char>(r)) {}
    [[nodiscard]] slot* items() noexcept { return reinterpret_cast<slot*>(this + 1); }
    [[nodiscard]] const slot* items() const noexcept { return reinterpret_cast<const slot*>(this + 1); }
    unsigned char count = 0;
    const unsigned char room;
    std::array<unsigned char, most_tags> tags{};
  };
  struct alignas(8) inner_node : shared_node {
    [[nodiscard]] trie_link* children() noexcept { return reinterpret_cast<trie_link*>(this + 1); }
  };
  // The children first to first + count - 1 are one.
  struct run {
    unsigned first;
    unsigned count;
  };

  // A change beside an old version copies the nodes on its way, and raises the count of each of their children: with
  // wider nodes there were more of these, with narrower ones more steps to an entry.
  static constexpr unsigned fan_most = 4;
  static constexpr std::size_t block_bytes = bytes_of_block(block_classes - 1);
  static constexpr std::size_t leaf_most =
      std::clamp<std::size_t>((block_bytes - sizeof(leaf_node)) / sizeof(slot), 4, most_tags);

  static leaf_node* leaf(trie_link p) noexcept { return p.template as<leaf_node>(); }
  static inner_node* inner(trie_link p) noexcept { return p.template as<inner_node>(); }
  static bucket* bucket_at(trie_link p) noexcept { return p.template as<bucket>(); }
  static trie_link link(leaf_node* l) noexcept { return {l, 0}; }
  static trie_link link(inner_node* n, unsigned fan) noexcept { return {n, fan}; }

  static constexpr std::size_t leaf_bytes(std::size_t room) noexcept { return sizeof(leaf_node) + room * sizeof(slot); }
  static constexpr std::size_t inner_bytes(unsigned fan) noexcept {
    return sizeof(inner_node) + (sizeof(trie_link) << fan);
  }
  // The block is used as far as it goes.
  static leaf_node* new_leaf(std::size_t entries) {
    const std::size_t bytes = bytes_of_block(class_of_block(leaf_bytes(entries)));
    const std::size_t room =
        leaf_bytes(entries) > block_bytes ? leaf_most : std::min(leaf_most, (bytes - sizeof(leaf_node)) / sizeof(slot));
    return ::new (allocate_block(leaf_bytes(room))) leaf_node(room);
  }
  static inner_node* new_inner(unsigned fan) { return ::new (allocate_block(inner_bytes(fan))) inner_node; }
  static void free_leaf(leaf_node* l) noexcept { free_block(l, leaf_bytes(l->room)); }
  // No deeper than the trie.
  static void let_go(trie_link p) noexcept {
    if (!p || !p.node().let_go()) return;
    if (p.is_leaf()) {
      for (unsigned i = 0; i != leaf(p)->count; ++i) leaf(p)->items()[i].let_go();
      free_leaf(leaf(p));
    } else if (p.is_bucket()) {
      box<bucket>::end(bucket_at(p));
    } else {
      for_each_child(p, [](trie_link c) { let_go(c); });
      free_block(inner(p), inner_bytes(p.fan()));
    }
  }
  // Each once, however often it is child, and as often it has a link.
  template <class F>
  static void for_each_child(trie_link n, F f) {
    trie_link last;
    for (const trie_link* c = inner(n)->children(); c != inner(n)->children() + (std::size_t{1} << n.fan()); ++c) {
      if (*c && *c != last) f(*c);
      last = *c;
    }
  }
  // Those that are the same leaf as child i, or null as it is.
  static run run_of(trie_link n, unsigned i) noexcept {
    const trie_link* const c = inner(n)->children();
    unsigned first = i;
    unsigned count = 1;
    for (; count != 1U << n.fan() && are_all(c + (first ^ count), count, c[i]); count *= 2) first &= ~count;
    return {first, count};
  }
  static bool are_all(const trie_link* c, unsigned count, trie_link what) noexcept {
    return std::all_of(c, c + count, [&](trie_link each) { return each == what; });
  }

  [[nodiscard]] static unsigned char tag_of(mixed_hash h) noexcept { return static_cast<unsigned char>(h); }
  // Null: there is none. Without branches up to the entry, and with few instructions, so that the processor goes on
  // meanwhile with what follows.
  template <class Q>
  [[nodiscard]] static const slot* find_in(const leaf_node& l, mixed_hash h, const Q& k) {
    // The entry lies behind the tags, and it is not known yet where.
    for (unsigned line = 1; line != 5; ++line) __builtin_prefetch(reinterpret_cast<const char*>(&l) + line * 64);
    for (std::uint32_t hits = hits_in(l, tag_of(h)); hits != 0; hits &= hits - 1) {
      const slot* const s = l.items() + std::countr_zero(hits);
      if (Rules::equal(Rules::key_of(s->get()), k)) return s;
    }
    return nullptr;
  }
  // The entries with that tag, a bit each.
  [[nodiscard]] static std::uint32_t hits_in(const leaf_node& l, unsigned char tag) noexcept {
    const auto taken = static_cast<std::uint32_t>(~(~std::uint64_t{0} << l.count));
#ifdef __SSE2__
    using sixteen [[gnu::vector_size(16)]] = char;
    const sixteen wanted = sixteen{} + static_cast<char>(tag);
    std::array<sixteen, 2> tags;
    static_assert(sizeof tags == most_tags);
    std::memcpy(tags.data(), l.tags.data(), most_tags);
    const auto low = static_cast<unsigned>(__builtin_ia32_pmovmskb128(sixteen(tags[0] == wanted)));
    const auto high = static_cast<unsigned>(__builtin_ia32_pmovmskb128(sixteen(tags[1] == wanted)));
    return (low | high << 16) & taken;
#else
    return hits_by_words(l, tag) & taken;
#endif
  }
  // The same, and maybe entries of which the one before has that tag: then the keys differ.
  [[nodiscard]] static std::uint32_t hits_by_words(const leaf_node& l, unsigned char tag) noexcept {
    constexpr std::uint64_t ones = ~std::uint64_t{0} / 255;
    std::uint64_t hits = 0;
    for (unsigned first = 0; first != most_tags; first += 8) {
      std::uint64_t word = 0;
      for (unsigned i = 0; i != 8; ++i) word |= std::uint64_t{l.tags[first + i]} << 8 * i;
      word ^= ones * tag;
      const std::uint64_t equal = ((word - ones) & ~word) >> 7 & ones;  // eight bytes, each of them 0 or 1
      hits |= equal * 0x0102040810204080 >> 56 << first;                // and eight bits
    }
    return static_cast<std::uint32_t>(hits);
  }

  // REQUIRES: the leaf has room.
  static void add(leaf_node* l, const slot& s, unsigned char tag) noexcept {
    ::new (static_cast<void*>(l->items() + l->count)) slot(s);
    l->tags[l->count++] = tag;
  }
  static void add_all(leaf_node* to, const leaf_node* from) noexcept {
    for (unsigned i = 0; i != from->count; ++i) add(to, from->items()[i], from->tags[i]);
  }
  // All entries of a leaf were added elsewhere, and get their counts now: those of the leaf, if its link was the last.
  static void pass_on(trie_link from) noexcept {
    leaf_node* const l = leaf(from);
    if (l->is_sole()) return free_leaf(l);
    for (unsigned i = 0; i != l->count; ++i) l->items()[i].share();
    let_go(from);
  }
  struct holder {
    explicit holder(trie_link of) noexcept : p(of) {}
    holder(const holder&) = delete;
    holder& operator=(const holder&) = delete;
    ~holder() { let_go(p); }
    trie_link release() noexcept { return std::exchange(p, {}); }
    trie_link p;
  };

  // For an inner node.
  static void make_sole(trie_link& p) {
    if (p.node().is_sole()) return;
    inner_node* const n = new_inner(p.fan());
    // Their counts are in as many places of the memory.
    for_each_child(p, [](trie_link c) { __builtin_prefetch(&c.node(), 1); });
    for_each_child(p, [](trie_link c) { c.node().share(); });
    std::uninitialized_copy_n(inner(p)->children(), std::size_t{1} << p.fan(), n->children());
    let_go(std::exchange(p, link(n, p.fan())));
  }
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
