// error: deleted
#include "account.hpp"

tact::transaction keep(tact::transaction& tx) {
  return tx;  // here
}
