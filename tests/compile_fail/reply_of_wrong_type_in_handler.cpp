// error: the answer is not of the type that the query names
// error: answer_must_be<long( int)?>
#include "account.hpp"

tact::behavior<account> b{
    take_deposit, [](auto& self, const tact::request<balance>& m) { self.reply(m, std::string("much")); },  // here
};
