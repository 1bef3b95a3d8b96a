// Calls that Linux has and macOS has otherwise. Files, sockets and pipes are closed in other
// programs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace sys::posix {

// A new file to be read and written, in memory or gone from its folder; -1: errno says why.
int nameless_file();
// A new file to be written in a folder that has no name there until it gets one by linkat of its
// path; -1 where folders have none such.
int nameless_file_in(const std::filesystem::path& folder);
// A path to an open file of this process; it may lead to the file itself, as it was opened.
std::string path_of(int file);
// A path at which these bytes can be read until the program ends; empty: there is none.
std::string path_of_bytes(std::string_view bytes);

// Two ends each; false: errno says why.
bool make_sockets(int (&ends)[2]);
bool make_pipe(int (&ends)[2]);
// send(2), which neither waits nor makes a signal.
std::ptrdiff_t send_now(int socket, const void* bytes, std::size_t size);

// The calling process, just forked, ends when the thread that forked it ends, where the system can.
void end_with_parent();

}  // namespace sys::posix
