// A pool of three workers that have state of their own, behind one address.
#include <tact/tact.hpp>
#include <vector>

struct job {
  using reply = int;
};

class worker : public tact::actor<worker, tact::request<job>> {
 public:
  void receive(tact::self<worker>& self, const tact::request<job>& m) { self.reply(m, ++jobs_); }

 private:
  int jobs_ = 0;
};

class pool : public tact::actor<pool, tact::request<job>> {
 public:
  pool(tact::engine& engine, int size) {
    for (int i = 0; i < size; ++i) workers_.push_back(engine.spawn<worker>());
  }
  void receive(tact::self<pool>& self, const tact::request<job>& m) {
    self.pass_on(workers_[next_++ % workers_.size()], m);
  }

 private:
  std::vector<tact::ref<worker>> workers_;
  std::size_t next_ = 0;
};

int main() {
  tact::engine engine;
  const auto workers = engine.spawn<pool>(engine, 3);
  int most = 0;
  for (int i = 0; i < 9; ++i) most = engine.ask(workers, job{});
  return most == 3 ? 0 : 1;
}
