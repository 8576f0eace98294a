# The target hdf5, serial. Debian's shared library asks for libcurl and with it for thirty others, which neither
# this program nor its bundle needs; the archive does without them.
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
find_library(HDF5_ARCHIVE NAMES libhdf5_serial.a libhdf5.a PATHS ${HDF5_LIBRARY_DIRS})
find_library(SZIP_ARCHIVE NAMES libsz.a)
find_library(AEC_ARCHIVE NAMES libaec.a)
add_library(hdf5 INTERFACE)
if(HDF5_ARCHIVE AND SZIP_ARCHIVE AND AEC_ARCHIVE)
  target_include_directories(hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(hdf5 INTERFACE ${HDF5_ARCHIVE} ${SZIP_ARCHIVE} ${AEC_ARCHIVE} PkgConfig::ZLIB
    Threads::Threads ${CMAKE_DL_LIBS} m)
else()
  target_link_libraries(hdf5 INTERFACE PkgConfig::HDF5)
endif()
mark_as_advanced(HDF5_ARCHIVE SZIP_ARCHIVE AEC_ARCHIVE)
