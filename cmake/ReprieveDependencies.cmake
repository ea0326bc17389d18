# Libraries, all from Debian packages; ./dev setup installs them. Nothing is vendored.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(PkgConfig REQUIRED)
# With the macros that Debian compiled the library with; its classes differ without them.
pkg_check_modules(httplib REQUIRED IMPORTED_TARGET cpp-httplib)

# yaml-cpp 0.7 exports an unnamespaced target.
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
