# Writes the commit that is built, as a C file, where it has changed: only that file is compiled again.
# Run as a script at each build: cmake -DSOURCE= -DOUTPUT= -P commit.cmake
# An archive made by `git archive` has the commit in cmake/commit.txt; another copy without .git has "unknown".
set(commit "")
if(EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git -C "${SOURCE}" describe --always --abbrev=10 --dirty=+ --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
else()
  file(STRINGS "${SOURCE}/cmake/commit.txt" commit LIMIT_COUNT 1)
  string(SUBSTRING "${commit}" 0 10 commit)
endif()
if(NOT commit MATCHES "^[0-9a-f]+\\+?$")
  set(commit "unknown")
endif()
set(text "extern const char version_commit[];\nconst char version_commit[] = \"${commit}\";\n")
set(before "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
