# embed_texts(TARGET FILE SYMBOL [FILE SYMBOL]...): compiles each FILE into TARGET as `const char SYMBOL[]`, NUL-terminated.
# One C file holds them all, because starting a script and a compiler takes longer than either's work.
# Run as a script it writes the C file: cmake -DTEXTS=FILE;SYMBOL;... -DOUTPUT= -P embed.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(code "")
  while(TEXTS)
    list(POP_FRONT TEXTS input symbol)
    file(READ "${input}" bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
           "\\1\n" bytes "${bytes}")
    string(APPEND code "extern const char ${symbol}[];\nconst char ${symbol}[] = {\n${bytes}0};\n")
  endwhile()
  file(WRITE "${OUTPUT}" "${code}")
  return()
endif()

set(GRAVREEL_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(embed_texts target)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_texts.c")
  set(inputs "")
  set(texts "")
  while(ARGN)
    list(POP_FRONT ARGN file symbol)
    get_filename_component(input "${file}" ABSOLUTE)
    list(APPEND inputs "${input}")
    list(APPEND texts "${input}" ${symbol})
  endwhile()
  add_custom_command(OUTPUT "${output}" DEPENDS ${inputs} "${GRAVREEL_EMBED_SCRIPT}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" "-DTEXTS=${texts}" "-DOUTPUT=${output}" -P "${GRAVREEL_EMBED_SCRIPT}")
  target_sources(${target} PRIVATE "${output}")
endfunction()

# embed_shaders(TARGET NAME...): render/shaders/NAME as `shader_NAME`, its dot an underscore.
function(embed_shaders target)
  set(texts "")
  foreach(name IN LISTS ARGN)
    string(REPLACE "." "_" symbol "shader_${name}")
    list(APPEND texts "${PROJECT_SOURCE_DIR}/render/shaders/${name}" ${symbol})
  endforeach()
  embed_texts(${target} ${texts})
endfunction()
