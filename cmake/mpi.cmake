# Finds MPI when asked to, and says in one line what that means for the program.
# Sets GRAVREEL_MPI_OR_ALONE, the file of base/ranks that is built, and GRAVREEL_MPI_C, the library or nothing.
set(GRAVREEL_MPI_OR_ALONE alone)
set(GRAVREEL_MPI_C "")
if(NOT GRAVREEL_MPI STREQUAL "OFF")
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI 3.0 QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    set(GRAVREEL_MPI_OR_ALONE mpi)
    set(GRAVREEL_MPI_C MPI::MPI_C)
    message(STATUS "gravreel: MPI ${MPI_C_VERSION} found, simulations on one or several processes")
  elseif(GRAVREEL_MPI STREQUAL "ON")
    message(FATAL_ERROR "GRAVREEL_MPI=ON needs MPI 3 or later, but CMake found none; install libopenmpi-dev or libmpich-dev, "
                        "set MPI_HOME, or build with -DGRAVREEL_MPI=AUTO")
  endif()
endif()
if(NOT GRAVREEL_MPI_C)
  message(STATUS "gravreel: building without MPI, simulations in one process")
endif()
