add_unit_test(test_camera render)
