# A unity build (CMAKE_UNITY_BUILD) compiles each room as one file, which saves most of the compiler starts. These rooms stay
# as they are, because their files have functions of the same name. The kernels do too (kernels/CMakeLists.txt).
set_target_properties(
  baseline bench bench_suites cli command_help exhibit film film_compare film_script film_start gravreel job judge record report verify
  render_colour render_gl render_inspect render_overlay render_post render_reader render_sprites render_video scenes
  sim_formats sim_galaxy sim_gravity sim_gravity_cuda sim_hdf5 sim_integrators sim_models sim_playback sim_ranks sim_solver sim_solver_cuda sim_tree
  PROPERTIES UNITY_BUILD OFF)
set_source_files_properties(${PROJECT_SOURCE_DIR}/base/part.c ${PROJECT_SOURCE_DIR}/base/clock.c TARGET_DIRECTORY base
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON) # tests have a clock of their own
