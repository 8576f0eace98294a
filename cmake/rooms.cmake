# The rows of the CMakeLists.txt of each top-level folder. Sources are named relative to FOLDER.

# room(TARGET FOLDER SOURCE... [OBJECT] [SHADERS NAME...] [PUBLIC LIBRARY...] [PRIVATE LIBRARY...]):
# a library of one folder; with OBJECT its objects alone, for a library that lists them. SHADERS are files of render/shaders/.
function(room target folder)
  cmake_parse_arguments(PARSE_ARGV 2 room "OBJECT" "" "SHADERS;PUBLIC;PRIVATE")
  set(sources ${room_UNPARSED_ARGUMENTS})
  if(NOT folder STREQUAL ".")
    list(TRANSFORM sources PREPEND "${folder}/")
  endif()
  set(kind STATIC)
  if(room_OBJECT)
    set(kind OBJECT)
  endif()
  add_library(${target} ${kind} ${sources})
  target_link_libraries(${target} PUBLIC ${room_PUBLIC} PRIVATE ${room_PRIVATE})
  if(room_SHADERS)
    embed_shaders(${target} ${room_SHADERS})
  endif()
endfunction()

# isa_sources(TARGET NAME ISA SOURCE... [OPTIONS OPTION...] [DEFINITIONS DEFINITION...] [LINK LIBRARY...]):
# sources of TARGET that are compiled once per instruction set, as the objects NAME_ISA.
function(isa_sources target name isa)
  cmake_parse_arguments(PARSE_ARGV 3 isa "" "" "OPTIONS;DEFINITIONS;LINK")
  add_library(${name}_${isa} OBJECT ${isa_UNPARSED_ARGUMENTS})
  target_compile_options(${name}_${isa} PRIVATE ${isa_OPTIONS})
  target_compile_definitions(${name}_${isa} PRIVATE ${isa_DEFINITIONS})
  target_link_libraries(${name}_${isa} PRIVATE ${isa_LINK})
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${name}_${isa}>)
endfunction()
