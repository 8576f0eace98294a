# The force modes exact and double, a file once an instruction set. Exact arithmetic wants every
# multiply-add where the source says so and nowhere else, on both kinds of device.
target_sources(kernels PRIVATE force_direct.c)
foreach(isa IN LISTS isas)
  foreach(kind exact double)
    add_library(force_${kind}_${isa} OBJECT force_${kind}_isa.c)
    target_compile_definitions(force_${kind}_${isa} PRIVATE FORCE_ISA=${isa})
    target_compile_options(force_${kind}_${isa} PRIVATE -O3 ${flags_${isa}})
    target_link_libraries(force_${kind}_${isa} PRIVATE OpenMP::OpenMP_C)
    target_sources(kernels PRIVATE $<TARGET_OBJECTS:force_${kind}_${isa}>)
  endforeach()
  target_compile_options(force_exact_${isa} PRIVATE -ffp-contract=off)
endforeach()

if(GRAVREEL_HAS_CUDA)
  target_sources(kernels PRIVATE force_exact_cuda.cu force_double_cuda.cu)
  set_source_files_properties(force_exact_cuda.cu state_cuda.cu PROPERTIES COMPILE_OPTIONS
    "--fmad=false;--ftz=false;--prec-div=true;--prec-sqrt=true")
endif()
