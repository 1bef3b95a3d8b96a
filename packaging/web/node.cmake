# Tests of the cross build run under node, which has the files of its machine, and so does the command line.
set(node_flags -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sPROXY_TO_PTHREAD -sPTHREAD_POOL_SIZE=16 -O1)
add_executable(attnscope_node EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/app/main.cpp)
target_link_libraries(attnscope_node PRIVATE box_cli box_ui fmt::fmt attnscope_options)
foreach(target IN ITEMS attnscope_node core_tests reference_check page_digest)
  target_link_options(${target} PRIVATE ${node_flags})
endforeach()
