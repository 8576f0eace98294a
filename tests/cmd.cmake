add_unit_test(test_includes film_tests base)
add_unit_test(test_manifest manifest film_tests)

add_unit_test(test_film_camera film)
add_unit_test(test_pipeline film)
add_unit_test(test_moments solver_checks film)
add_unit_test(test_pipeline_parts film drawing_tests)

# The whole program, run as a person would.
add_library(cli_tests STATIC cli.c run.c)
target_link_libraries(cli_tests PUBLIC film_tests PkgConfig::CMOCKA PRIVATE util)
target_compile_definitions(cli_tests PRIVATE PROGRAM="$<TARGET_FILE:gravreel>")
add_dependencies(cli_tests gravreel)
foreach(name usage film modes repeat run)
  add_unit_test(test_cli_${name} cli_tests)
endforeach()
add_unit_test(test_cli_sheet cli_tests PkgConfig::PNG)
add_unit_test(test_cli_still cli_tests PkgConfig::PNG)
add_unit_test(test_cli_join cli_tests segments)
