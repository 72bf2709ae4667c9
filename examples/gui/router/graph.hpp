// The whole graph: dispatcher, views, recognisers, map of commands and document.
#pragma once

#include <tact/tact.hpp>

#include "command.hpp"
#include "dispatcher.hpp"
#include "document.hpp"

namespace router {

struct graph {
  tact::ref<router::dispatcher> dispatcher;  // where events go
  tact::ref<router::document> document;
  tact::ref<router::commands> commands;
};

graph make_graph(tact::engine& engine, int width, int height, const listeners& to);

}  // namespace router
