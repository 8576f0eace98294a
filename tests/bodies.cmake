add_unit_test(test_bodies sim)
add_unit_test(test_table sim PkgConfig::ZLIB)
add_unit_test(test_models sim)
