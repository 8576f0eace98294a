target_sources(sim PRIVATE adaptive.c diagnostics.c encounter.c energy_history.c frame_clock.c galaxy_core.c integrator.c integrator_kdk.c integrator_dkd.c
  integrator_euler.c integrator_yoshida4.c force_mode.c checkpoint.c checkpoint_seal.c rehearsal.c rehearsal_bodies.c simulation.c simulation_state.c softening.c solver.c store.c
  solver_cpu.c solver_cpu_force.c)
target_link_libraries(sim PRIVATE hdf5)

# Kick and drift give the same bits on every processor and on CUDA.
set_source_files_properties(encounter.c frame_clock.c galaxy_core.c rehearsal.c rehearsal_bodies.c solver_cpu.c solver_cpu_force.c solver_cuda_force.c diagnostics.c softening.c PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
if(GRAVREEL_HAS_CUDA)
  target_sources(sim PRIVATE solver_cuda.c solver_cuda_force.c solver_cuda_graph.c solver_cuda_open.c solver_cuda_plan.c solver_cuda_probe.c)
  target_link_libraries(sim PRIVATE CUDA::cudart_static)
else()
  target_sources(sim PRIVATE solver_cuda_none.c)
endif()
