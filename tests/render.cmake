add_unit_test(test_camera render)

add_library(drawing_tests STATIC drawing.c)
target_link_libraries(drawing_tests PUBLIC render PkgConfig::CMOCKA m)
add_unit_test(test_renderer drawing_tests)
add_unit_test(test_renderer_formats drawing_tests)
add_unit_test(test_overlay drawing_tests)
add_unit_test(test_overlay_ink render)
add_unit_test(test_overlay_text render)
