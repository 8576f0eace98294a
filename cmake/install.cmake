# cmake --install, and the Debian package: cpack -G DEB.
include(GNUInstallDirs)

# The program writes its manual pages when it is installed, before anything is copied, so that what cannot be installed
# whole is not installed at all.
set(manuals ${PROJECT_BINARY_DIR}/man)
install(CODE "set(PROGRAM \"$<TARGET_FILE:gravreel>\")
set(EMULATOR \"${CMAKE_CROSSCOMPILING_EMULATOR}\")
set(FOLDER \"${manuals}\")
include(\"${PROJECT_SOURCE_DIR}/cmake/manuals.cmake\")")
install(TARGETS gravreel RUNTIME)
install(PROGRAMS scripts/ci-check DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME gravreel-ci-check)
install(DIRECTORY ${manuals}/man1 ${manuals}/man5 DESTINATION ${CMAKE_INSTALL_MANDIR})

install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gravreel/scenes FILES_MATCHING PATTERN *.yaml)
install(FILES completions/gravreel.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gravreel)
install(FILES completions/_gravreel DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES completions/gravreel.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md CHANGELOG.md LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)

set(CPACK_PACKAGE_NAME gravreel)
set(CPACK_PACKAGE_VENDOR "gravreel authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "turns N-body gravity into film")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "gravreel authors <gravreel@localhost>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "One program simulates colliding galaxies by direct summation, draws every frame\n without a display, and encodes straight to MP4 or PNG.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1, libgl1, libegl-mesa0, libgl1-mesa-dri") # loaded on demand
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, fonts-inter")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
if(CMAKE_CROSSCOMPILING) # cmake/aarch64.cmake; dpkg-shlibdeps then asks what scripts/test-arm wrote beside the libraries
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package.cmake)
  file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "set(ENV{DPKG_ADMINDIR} \"${CMAKE_SYSROOT}/var/lib/dpkg\")\nset(ENV{DEB_HOST_ARCH} arm64)\n")
endif()
include(CPack)
