# All of `gravreel bench` but its command line, so that tests can link it.
add_library(bench STATIC bench_bed.c bench_bondarenko.c bench_bound.c bench_draw.c bench_evl2008.c bench_gems3.c
  bench_json.c bench_pipe.c bench_pipeline.c bench_plane.c bench_plot.c bench_plot_draw.c bench_plot_panel.c bench_print.c bench_published.c
  bench_solver.c bench_stride.c bench_suites.c bench_table.c bench_time.c)
target_link_libraries(bench PUBLIC film ladder sim scenes base
  PRIVATE OpenMP::OpenMP_C PkgConfig::JANSSON PkgConfig::CAIRO m)
if(GRAVREEL_HAS_CUDA)
  target_sources(bench PRIVATE bench_device_cuda.c)
  target_link_libraries(bench PRIVATE CUDA::cudart_static)
else()
  target_sources(bench PRIVATE bench_device_none.c)
endif()
