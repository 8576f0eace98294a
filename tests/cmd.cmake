add_unit_test(test_includes film_tests base)
