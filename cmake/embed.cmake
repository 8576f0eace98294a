# embed_text(TARGET FILE SYMBOL): compiles FILE into TARGET as `const char SYMBOL[]`, NUL-terminated.
# Run as a script it writes the C file: cmake -DINPUT= -DOUTPUT= -DSYMBOL= -P embed.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
         "\\1\n" bytes "${bytes}")
  file(WRITE "${OUTPUT}" "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n${bytes}0};\n")
  return()
endif()

set(GRAVREEL_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(embed_text target file symbol)
  get_filename_component(input "${file}" ABSOLUTE)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol}.c")
  add_custom_command(OUTPUT "${output}" DEPENDS "${input}" "${GRAVREEL_EMBED_SCRIPT}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${input}" "-DOUTPUT=${output}" "-DSYMBOL=${symbol}"
            -P "${GRAVREEL_EMBED_SCRIPT}")
  target_sources(${target} PRIVATE "${output}")
endfunction()

# embed_shaders(TARGET NAME...): render/shaders/NAME as `shader_NAME`, its dot an underscore.
function(embed_shaders target)
  foreach(name IN LISTS ARGN)
    string(REPLACE "." "_" symbol "shader_${name}")
    embed_text(${target} "${PROJECT_SOURCE_DIR}/render/shaders/${name}" ${symbol})
  endforeach()
endfunction()
