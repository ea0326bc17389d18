// Reads a stream of JSON objects and Lists, one object at a time. Internal to manifest/.
#pragma once

#include <string>

#include "reprieve/manifest/loader.h"
#include "reprieve/manifest/window.h"

namespace reprieve::manifest {

/// Adds every object of the text to the loader. Throws DecodeError.
void read_json(Window& window, const std::string& file, Loader& loader);

}  // namespace reprieve::manifest
