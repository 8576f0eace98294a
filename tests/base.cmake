add_unit_test(test_queue base)
