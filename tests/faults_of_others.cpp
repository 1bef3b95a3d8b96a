// Under the address sanitizer: what libraries keep for the life of the process is no leak of ours.
// A driver that was unloaded could not be named, so none is unloaded.
#ifdef __SANITIZE_ADDRESS__
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\nleak:libcairo\nleak:swrast_dri\nleak:libgallium\nleak:libEGL\n"
         "leak:libLLVM\nleak:libX11\n";
}

extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }

extern "C" int dlclose(void* handle);
extern "C" int dlclose(void* /*handle*/) { return 0; }
#endif

// Under the thread sanitizer: libraries that were not built for it have threads whose order it
// cannot see.
#ifdef __SANITIZE_THREAD__
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:swrast_dri.so\nrace:libpangoft2\nrace:libfontconfig\nrace:libglib\n";
}
#endif
