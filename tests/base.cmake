add_unit_test(test_queue base)
add_unit_test(test_text base)
