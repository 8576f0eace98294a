add_library(solver_checks STATIC ${CMAKE_CURRENT_LIST_DIR}/sphere.c ${CMAKE_CURRENT_LIST_DIR}/solver_checks.c
  ${CMAKE_CURRENT_LIST_DIR}/mode_checks.c ${CMAKE_CURRENT_LIST_DIR}/softening_checks.c
  ${CMAKE_CURRENT_LIST_DIR}/checkpoint_checks.c)
target_link_libraries(solver_checks PUBLIC sim PkgConfig::CMOCKA PkgConfig::XXHASH m)

add_unit_test(test_kernels solver_checks sim kernels OpenMP::OpenMP_C)
add_unit_test(test_force_direct solver_checks sim kernels OpenMP::OpenMP_C)
add_unit_test(test_solver solver_checks sim OpenMP::OpenMP_C PkgConfig::ZLIB)
add_unit_test(test_force_modes solver_checks sim kernels OpenMP::OpenMP_C)
add_unit_test(test_softening solver_checks scenes sim kernels OpenMP::OpenMP_C)
add_unit_test(test_integrators solver_checks sim)
add_unit_test(test_simulation solver_checks sim)
add_unit_test(test_checkpoint solver_checks film_tests sim)
add_unit_test(test_energy_history solver_checks sim)
add_unit_test(test_frame_clock solver_checks sim)
add_unit_test(test_encounter solver_checks sim)
if(GRAVREEL_HAS_CUDA)
  add_unit_test(test_solver_cuda solver_checks sim CUDA::cudart_static)
  add_unit_test(test_modes_cuda solver_checks sim CUDA::cudart_static)
  add_unit_test(test_checkpoint_cuda solver_checks sim CUDA::cudart_static)
  target_link_options(test_checkpoint_cuda PRIVATE -static-libstdc++ -static-libgcc)
  target_link_options(test_modes_cuda PRIVATE -static-libstdc++ -static-libgcc)
  target_link_options(test_solver_cuda PRIVATE -static-libstdc++ -static-libgcc)
endif()

# Measured by hand, not a test.
add_executable(time_forces ${CMAKE_CURRENT_LIST_DIR}/time_forces.c)
target_link_libraries(time_forces PRIVATE solver_checks sim OpenMP::OpenMP_C m)
