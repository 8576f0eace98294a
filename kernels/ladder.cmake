# The ladder of kernels as they were published, which only `gravreel bench` runs.
add_library(ladder STATIC ladder/ladder.c ladder/rungs_cpu.c ladder/serial.c)
target_link_libraries(ladder PRIVATE OpenMP::OpenMP_C m)
target_compile_options(ladder PRIVATE $<$<COMPILE_LANGUAGE:C>:-O3>)
set_source_files_properties(ladder/serial.c PROPERTIES COMPILE_OPTIONS "-O2;-fno-tree-vectorize")
if("avx2" IN_LIST isas)
  target_compile_definitions(ladder PRIVATE LADDER_X86)
endif()

# -ffast-math for the plain loop alone: it is what people have, and no other file may have it.
foreach(isa IN LISTS isas)
  add_library(ladder_${isa} OBJECT ladder/plain.c ladder/bound.c)
  target_compile_definitions(ladder_${isa} PRIVATE LADDER_ISA=${isa})
  target_compile_options(ladder_${isa} PRIVATE -O3 ${flags_${isa}})
  target_link_libraries(ladder_${isa} PRIVATE OpenMP::OpenMP_C)
  target_sources(ladder PRIVATE $<TARGET_OBJECTS:ladder_${isa}>)
endforeach()
set_source_files_properties(ladder/plain.c PROPERTIES COMPILE_OPTIONS "-ffast-math")

if(GRAVREEL_HAS_CUDA)
  target_sources(ladder PRIVATE ladder/rungs_cuda.c ladder/naive.cu ladder/subset.cu ladder/tile.cu
    ladder/threads_a_body.cu ladder/stride.cu)
  target_link_libraries(ladder PRIVATE CUDA::cudart_static)
else()
  target_sources(ladder PRIVATE ladder/rungs_cuda_none.c)
endif()

include(ladder/plane.cmake OPTIONAL)
