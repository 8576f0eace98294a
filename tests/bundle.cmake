# What a GPU host runs beside the program: see tests/gpu and docs/bundle.md.
add_executable(compare_pictures ${CMAKE_CURRENT_LIST_DIR}/compare_pictures.c)
target_link_libraries(compare_pictures PRIVATE render base PkgConfig::PNG m)

add_unit_test(test_bundle PkgConfig::PNG)
add_dependencies(test_bundle compare_pictures)
target_compile_definitions(test_bundle PRIVATE COMPARE_PICTURES="$<TARGET_FILE:compare_pictures>")

add_test(NAME test_bundle_gpu_script COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/test_bundle.sh)
set_tests_properties(test_bundle_gpu_script PROPERTIES TIMEOUT 60)
