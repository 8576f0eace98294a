add_library(film_tests STATIC decode.c sink_fixture.c)
target_link_libraries(film_tests PUBLIC render base PRIVATE PkgConfig::LIBAV m)

add_unit_test(test_sink_open film_tests)
add_unit_test(test_sink_video film_tests)
add_unit_test(test_sink_codecs film_tests)
add_unit_test(test_sink_faults film_tests)
add_unit_test(test_sink_png film_tests PkgConfig::PNG)
add_unit_test(test_sink_hash film_tests PkgConfig::XXHASH)
