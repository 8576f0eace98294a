add_unit_test(test_scene scenes base)
add_unit_test(test_scene_errors scenes base)
add_unit_test(test_scene_print scenes base)
add_unit_test(test_scene_difference scenes base)
