# Tests of the cross build run under node, which has the files of its machine, and so does the command line.
set(node_flags -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sPROXY_TO_PTHREAD -sPTHREAD_POOL_SIZE=16 -O1)
add_executable(attnscope_node EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/app/main.cpp)
target_link_libraries(attnscope_node PRIVATE box_cli box_ui fmt::fmt attnscope_options)
# Its name is another than the native one's, which measures its peers, too.
foreach(name IN ITEMS attention page)
  set(bench ${CMAKE_SOURCE_DIR}/tests/bench)
  add_executable(${name}_bench EXCLUDE_FROM_ALL ${bench}/${name}_bench.cpp ${bench}/peer.cpp)
  target_link_libraries(${name}_bench PRIVATE box_labs fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json attnscope_options)
  target_compile_definitions(${name}_bench PRIVATE ATTNSCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
endforeach()
foreach(target IN ITEMS attnscope_node core_tests reference_check page_digest attention_bench page_bench)
  target_link_options(${target} PRIVATE ${node_flags})
endforeach()
