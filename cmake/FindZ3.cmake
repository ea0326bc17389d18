# Z3, headers and library always of the same one. Gives the target Z3::Z3 and Z3_VERSION.
#
#   -DREPRIEVE_Z3=wheel   (default) the pinned PyPI wheel that smt/z3/fetch.sh unpacks into the cache
#   -DREPRIEVE_Z3=debian  Debian's libz3-dev (4.8.12)
set(REPRIEVE_Z3 wheel CACHE STRING "Which Z3: wheel (pinned, from PyPI) or debian (libz3-dev)")
set_property(CACHE REPRIEVE_Z3 PROPERTY STRINGS wheel debian)

if(REPRIEVE_Z3 STREQUAL "wheel")
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/smt/z3/fetch.sh
    OUTPUT_VARIABLE z3_folder OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE z3_missing)
  if(NOT z3_missing)
    set(z3_include ${z3_folder}/include)
    set(z3_library ${z3_folder}/lib/libz3.so.5.4)
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" Z3_VERSION ${z3_folder}) # the wheel has no z3_version.h
  endif()
elseif(REPRIEVE_Z3 STREQUAL "debian")
  # The cached results of these are named after the choice, so that changing it does not mix the two.
  find_path(Z3_DEBIAN_INCLUDE z3.h PATHS /usr/include NO_DEFAULT_PATH)
  find_library(Z3_DEBIAN_LIBRARY z3 PATHS /usr/lib/x86_64-linux-gnu /usr/lib NO_DEFAULT_PATH)
  if(Z3_DEBIAN_INCLUDE AND Z3_DEBIAN_LIBRARY)
    set(z3_include ${Z3_DEBIAN_INCLUDE})
    set(z3_library ${Z3_DEBIAN_LIBRARY})
    file(STRINGS ${z3_include}/z3_version.h z3_version_line REGEX "Z3_FULL_VERSION")
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" Z3_VERSION "${z3_version_line}")
  endif()
else()
  message(FATAL_ERROR "REPRIEVE_Z3 must be wheel or debian, not '${REPRIEVE_Z3}'")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Z3 REQUIRED_VARS z3_library z3_include VERSION_VAR Z3_VERSION
  REASON_FAILURE_MESSAGE "./dev setup fetches it, -DREPRIEVE_Z3=debian takes libz3-dev instead")

if(Z3_FOUND AND NOT TARGET Z3::Z3)
  add_library(Z3::Z3 SHARED IMPORTED)
  set_target_properties(Z3::Z3 PROPERTIES
    IMPORTED_LOCATION ${z3_library}
    INTERFACE_INCLUDE_DIRECTORIES ${z3_include})
endif()
