add_unit_test(test_camera render)
add_unit_test(test_renderer render)
