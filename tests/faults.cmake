# What is put into the program under test, see faults/shim.c. Sanitizers would come first.
add_library(fault_shim MODULE faults/shim.c)
target_compile_options(fault_shim PRIVATE -fno-sanitize=all)
target_link_options(fault_shim PRIVATE -fno-sanitize=all)
target_link_libraries(fault_shim PRIVATE ${CMAKE_DL_LIBS})

add_library(faults STATIC faults/faults.c faults/films.c)
target_link_libraries(faults PUBLIC cli_tests segments)
target_compile_definitions(faults PUBLIC SHIM="$<TARGET_FILE:fault_shim>")
add_dependencies(faults fault_shim)

foreach(name disk encoder kill parts resume signal)
  add_unit_test(faults/test_fault_${name} faults manifest)
endforeach()

# Not a test: scripts/soak runs it for as long as one likes.
add_executable(soak faults/soak.c)
target_link_libraries(soak PRIVATE faults)
