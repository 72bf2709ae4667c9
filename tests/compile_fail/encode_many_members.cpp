// error: more than 32 members; group some of them
#include <tact/codec/codec.hpp>

struct many {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae, af, ag;
};
std::string f(const many& m) {
  return tact::encode(m);  // here
}
