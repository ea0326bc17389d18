# Helpers that make a component, a program and a test. A component sees only the headers of the
# components it lists: each has an include root of its own, which holds nothing but
# reprieve/<path>, so an #include across a forbidden edge does not compile.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

option(REPRIEVE_WERROR "Warnings are errors" ON)
set(REPRIEVE_SANITIZE "" CACHE STRING "Value of -fsanitize for everything, e.g. address,undefined")
set(REPRIEVE_SLOWED "" CACHE STRING "A source file, e.g. engine/bounded/answer.cpp, to compile without optimisation: \
what ./dev gate-instructions --prove must notice")
option(REPRIEVE_COVERAGE "Instrument for coverage" OFF)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# What every target of ours is compiled with; nothing is set globally.
add_library(reprieve_options INTERFACE)
target_compile_features(reprieve_options INTERFACE cxx_std_23)
target_compile_options(reprieve_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-missing-field-initializers  # designated initialisers leave the rest at its default on purpose
  $<$<BOOL:${REPRIEVE_WERROR}>:-Werror>
  # libstdc++ 12's stable_sort calls a function that it has itself deprecated.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  $<$<CONFIG:Debug>:-D_GLIBCXX_ASSERTIONS>)
if(REPRIEVE_SANITIZE)
  target_compile_options(reprieve_options INTERFACE
    -fsanitize=${REPRIEVE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(reprieve_options INTERFACE -fsanitize=${REPRIEVE_SANITIZE})
endif()
if(REPRIEVE_SANITIZE MATCHES "fuzzer")
  # Comparisons are not traced: the targets' inputs are drawn from pools of what is compared with. The list
  # is under a name that changes with it, for neither ninja nor ccache looks into it.
  set(coverage_ignore ${PROJECT_SOURCE_DIR}/fuzz/coverage-ignore.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${coverage_ignore})
  file(SHA256 ${coverage_ignore} hash)
  string(SUBSTRING ${hash} 0 8 hash)
  configure_file(${coverage_ignore} ${PROJECT_BINARY_DIR}/coverage-ignore-${hash}.txt COPYONLY)
  target_compile_options(reprieve_options INTERFACE -fno-sanitize-coverage=trace-cmp,indirect-calls
    -fsanitize-coverage-ignorelist=${PROJECT_BINARY_DIR}/coverage-ignore-${hash}.txt)
endif()
if(REPRIEVE_COVERAGE)
  target_compile_options(reprieve_options INTERFACE --coverage)
  target_link_options(reprieve_options INTERFACE --coverage)
endif()

# reprieve_component(NAME name [PATH path] SOURCES ... [PUBLIC dep ...] [PRIVATE dep ...])
# makes the library reprieve_NAME (alias reprieve::NAME) of the folder it is called in. Its headers
# are included as "reprieve/PATH/header.h"; PATH is NAME unless given.
function(reprieve_component)
  cmake_parse_arguments(ARG "" "NAME;PATH" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  if(NOT ARG_PATH)
    set(ARG_PATH ${ARG_NAME})
  endif()
  set(target reprieve_${ARG_NAME})
  set(root ${PROJECT_BINARY_DIR}/include/${ARG_NAME})
  cmake_path(GET ARG_PATH PARENT_PATH parent)
  file(MAKE_DIRECTORY ${root}/reprieve/${parent})
  if(NOT EXISTS ${root}/reprieve/${ARG_PATH})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/reprieve/${ARG_PATH} SYMBOLIC)
  endif()
  add_library(${target} STATIC ${ARG_SOURCES})
  foreach(source ${ARG_SOURCES})
    if("${ARG_PATH}/${source}" STREQUAL "${REPRIEVE_SLOWED}")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -O0)
    endif()
  endforeach()
  add_library(reprieve::${ARG_NAME} ALIAS ${target})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${root}> $<INSTALL_INTERFACE:include>)
  target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} reprieve_options)
endfunction()

# reprieve_header_component(NAME name [PATH path]): the same for a folder that holds nothing but headers.
function(reprieve_header_component)
  cmake_parse_arguments(ARG "" "NAME;PATH" "" ${ARGN})
  if(NOT ARG_PATH)
    set(ARG_PATH ${ARG_NAME})
  endif()
  set(root ${PROJECT_BINARY_DIR}/include/${ARG_NAME})
  cmake_path(GET ARG_PATH PARENT_PATH parent)
  file(MAKE_DIRECTORY ${root}/reprieve/${parent})
  if(NOT EXISTS ${root}/reprieve/${ARG_PATH})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/reprieve/${ARG_PATH} SYMBOLIC)
  endif()
  add_library(reprieve_${ARG_NAME} INTERFACE)
  add_library(reprieve::${ARG_NAME} ALIAS reprieve_${ARG_NAME})
  target_include_directories(reprieve_${ARG_NAME} INTERFACE $<BUILD_INTERFACE:${root}> $<INSTALL_INTERFACE:include>)
endfunction()

# reprieve_program(target SOURCES ... LINK ... [OUTPUT name])
function(reprieve_program target)
  cmake_parse_arguments(ARG "" "OUTPUT" "SOURCES;LINK" ${ARGN})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LINK} reprieve_options)
  if(ARG_OUTPUT)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${ARG_OUTPUT})
  endif()
endfunction()

# What a gate under test keeps of a fault.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tmp)

# reprieve_test(target LABEL label SOURCES ... LINK ... [TIMEOUT_S seconds])
# makes one GoogleTest program, run as one CTest test with the given label: unit, property,
# exhaustive, conformance, smt, fuzz-replay, mutant or bench-smoke.
# One that takes minutes also has the property COST, so that it is begun first and none is left to run alone at the end
# on a machine that never ran them.
function(reprieve_test target)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT_S" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_TIMEOUT_S)
    set(ARG_TIMEOUT_S 600)
  endif()
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LINK} GTest::gtest GTest::gmock GTest::gtest_main reprieve_options)
  # The tests' own code was a third to a half of a build's time. So the files of a program are compiled together (their
  # names must differ), and in release with -O1, a quarter cheaper. Not -O0, in no build: what a test and a component both
  # use of the standard library is linked as the test has it, and sanitized tests took up to four times as long.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
  add_test(NAME ${target} COMMAND ${target})
  set_tests_properties(${target} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT_S}
    ENVIRONMENT "REPRIEVE_SOURCE_DIR=${PROJECT_SOURCE_DIR};REPRIEVE_BINARY_DIR=${PROJECT_BINARY_DIR};TMPDIR=${PROJECT_BINARY_DIR}/tmp")
endfunction()
