# Finds CUDA when asked to, and says in one line what that means for the program.
# Sets GRAVREEL_HAS_CUDA; GRAVREEL_CUDA_OR_NONE, the suffix of files that have a twin for a build without CUDA; and GRAVREEL_CUDART,
# the library of CUDA's runtime or nothing.
set(GRAVREEL_HAS_CUDA OFF)
set(GRAVREEL_CUDA_OR_NONE none)
set(GRAVREEL_CUDART "")
if(NOT GRAVREEL_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # Real code for Turing to Blackwell, and PTX of the newest for what comes after.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90-real 100-real 120
          CACHE STRING "CUDA architectures")
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CUDA_STANDARD 17)
    set(GRAVREEL_HAS_CUDA ON)
    set(GRAVREEL_CUDA_OR_NONE cuda)
    set(GRAVREEL_CUDART CUDA::cudart_static)
    message(STATUS "gravreel: CUDA ${CUDAToolkit_VERSION} found, backends: cuda cpu")
  elseif(GRAVREEL_CUDA STREQUAL "ON")
    message(FATAL_ERROR "GRAVREEL_CUDA=ON needs the CUDA compiler, but no nvcc was found; "
                        "put it on PATH, set CUDACXX, or build with -DGRAVREEL_CUDA=AUTO")
  endif()
endif()
if(NOT GRAVREEL_HAS_CUDA)
  message(STATUS "gravreel: building without CUDA, backends: cpu")
endif()
