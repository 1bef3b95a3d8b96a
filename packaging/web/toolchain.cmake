# CMake's view of the cross build: wasm32 with threads, the compiler's own exceptions and vectors.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
set(CMAKE_FIND_ROOT_PATH $ENV{ATTNSCOPE_WEB_LIBRARIES} ${CMAKE_FIND_ROOT_PATH})
set(PKG_CONFIG_ARGN --static)
set(BUILD_SHARED_LIBS OFF)
set(common "-pthread -fwasm-exceptions -msimd128 -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.")
set(CMAKE_C_FLAGS_INIT "${common}")
# std::jthread is an extension of its library still, and Eigen's index has 64 bits as everywhere.
set(CMAKE_CXX_FLAGS_INIT "${common} -fexperimental-library -isystem $ENV{ATTNSCOPE_WEB_LIBRARIES}/include -include ${CMAKE_CURRENT_LIST_DIR}/include/standard.h \
-DEIGEN_DEFAULT_DENSE_INDEX_TYPE=std::int64_t -DEIGEN_DONT_PARALLELIZE")
# Four threads begin with the program, others when they are wanted: the first picture waits for the four alone.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-pthread -fwasm-exceptions -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 \
-sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=256MB -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=4MB -sDEFAULT_PTHREAD_STACK_SIZE=2MB \
-sPTHREAD_POOL_SIZE=4 -sPTHREAD_POOL_SIZE_STRICT=0 -sFORCE_FILESYSTEM -lidbfs.js --js-library ${CMAKE_CURRENT_LIST_DIR}/library.js \
-sEXPORTED_RUNTIME_METHODS=FS,IDBFS,stringToNewUTF8,UTF8ToString,callMain,ENV,addRunDependency,removeRunDependency -sEXPORTED_FUNCTIONS=_main,_free,_malloc -sENVIRONMENT=web,worker -Wno-pthreads-mem-growth -Os")
