add_unit_test(test_includes film_tests base)

# The parts of the program that have no main: for tests that call them.
add_library(cmd_parts STATIC ${PROJECT_SOURCE_DIR}/cmd/pipeline.c)
target_link_libraries(cmd_parts PUBLIC render sim base)
add_unit_test(test_pipeline cmd_parts)
