// Cobwebbed tree: nodes ask the root whether they may have children; when it has enough it has them traversed.
// Savina 19. A node that is told to end may miss grants under way: nothing orders messages of different senders. So
// the root waits until every node has asked, instead of stopping at the first that comes too late. Then each grant has
// been heard, because the children of the node that got it have asked.
#include <vector>

#include "savina/cobwebbed_tree/recount.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct start {};
struct ask_root {};
struct may_branch {
  tact::ref<grant> node;
  std::uint32_t height;
};
struct has_branched {};
struct traverse {};
struct finish {};

class node;
using nodes = std::vector<tact::ref<node>>;

struct tree {
  tree_parameters given;
  tree_result found;
  tact::ref<may_branch> root;
};

nodes make_children(tact::transaction&, tree&, const grant&, tact::ref<has_branched> parent, std::uint32_t height);

class node : public tact::actor<node, ask_root, grant, has_branched, traverse, finish> {
 public:
  node(tree& all, tact::ref<has_branched> parent, std::uint32_t number)
      : tree_(&all), parent_(parent), number_(number) {}
  void receive(tact::self<node>& self, const ask_root&) {
    labour(100, tree_->given.steps);
    self.send(tree_->root, may_branch{self.ref(), record().height});
  }
  void receive(tact::self<node>& self, const grant& m) {
    self.send(parent_, has_branched{});
    children_ = make_children(self, *tree_, m, self.ref(), record().height + 1);
  }
  void receive(tact::self<node>&, const has_branched&) { ++record().branched; }
  void receive(tact::self<node>& self, const traverse& m) {
    ++record().traversed;
    labour(record().work, tree_->given.steps);
    for (const auto child : children_) self.send(child, m);
  }
  tact::allocation receive(tact::self<node>& self, const finish& m) {
    ++record().ended;
    for (const auto child : children_) self.send(child, m);
    return tact::allocation::delete_;
  }

 private:
  node_record& record() { return tree_->found.records[number_]; }

  tree* tree_;
  tact::ref<has_branched> parent_;
  std::uint32_t number_;
  nodes children_;
};

nodes make_children(tact::transaction& tx, tree& all, const grant& m, tact::ref<has_branched> parent,
                    std::uint32_t height) {
  nodes made;
  for (std::uint32_t place = 0; place < all.given.children; ++place) {
    const std::uint32_t number = m.first + place;
    all.found.records[number] = {.work = m.work, .height = height, .urgent = place == m.urgent};
    made.push_back(tx.spawn<node>(all, parent, number));
    tx.send(made.back(), ask_root{});
  }
  return made;
}

class root : public tact::actor<root, start, may_branch, has_branched> {
 public:
  explicit root(tree& all) : tree_(&all), branching_(all.given) {}
  void receive(tact::self<root>& self, const start&) {
    record().height = 2;
    asking_ = tree_->given.children;
    children_ = make_children(self, *tree_, branching_.begin(), self.ref(), 2);
  }
  tact::allocation receive(tact::self<root>& self, const may_branch& m) {
    if (const auto granted = branching_.ask()) {
      asking_ += tree_->given.children;
      ++tree_->found.grants;
      record().height = std::max(record().height, m.height + 1);
      self.send(m.node, *granted);
    }
    if (--asking_ != 0) return tact::allocation::nodelete;
    tree_->found.nodes = branching_.nodes();
    for (const auto child : children_) self.send(child, traverse{});
    for (const auto child : children_) self.send(child, finish{});
    return tact::allocation::delete_;
  }
  void receive(tact::self<root>&, const has_branched&) { ++record().branched; }

 private:
  node_record& record() { return tree_->found.records[0]; }

  tree* tree_;
  branching branching_;
  std::uint64_t asking_ = 0;  // nodes that have yet to
  nodes children_;
};

struct cobwebbed_tree {
  explicit cobwebbed_tree(savina_parameters& p) : all{tree_parameters(p), {}, {}} {}

  std::uint64_t run(tact::engine& engine) {
    all.found.records.resize(all.given.nodes);
    const auto top = engine.spawn<root>(all);
    all.root = top;
    engine.send(top, start{});
    engine.wait_finished();
    return all.found.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    check_tree(p, all.given, all.found);
    // A node that has been told to end may be told later that a child has children.
    p.check_equal(s.dead_letters, all.found.grants - all.found.heard(), "news for nodes that had ended");
  }

  tree all;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::cobwebbed_tree>(
      argc, argv, "Cobwebbed tree: nodes ask for children, and are traversed (Savina 19).");
}
