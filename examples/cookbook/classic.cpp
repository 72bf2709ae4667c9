// A class with members as an actor: it counts words.
#include <map>
#include <string>
#include <tact/tact.hpp>

struct word {
  std::string text;
};
struct count_of {
  using reply = int;
  std::string text;
};

class word_counter : public tact::actor<word_counter, word, tact::request<count_of>> {
 public:
  void receive(tact::self<word_counter>&, const word& m) { ++counts_[m.text]; }
  void receive(tact::self<word_counter>& self, const tact::request<count_of>& m) {
    self.reply(m, counts_[m.body.text]);
  }

 private:
  std::map<std::string, int> counts_;
};

int main() {
  tact::engine engine;
  const auto counter = engine.spawn<word_counter>();
  counter | word{"tea"} | word{"milk"} | word{"tea"};
  return engine.ask(counter, count_of{"tea"}) == 2 ? 0 : 1;
}
