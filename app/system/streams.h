// The three streams that a program begins with.
#pragma once

#include <string>

namespace sys {

// For main, before any file is opened: a file must not become one of the three because that was
// closed, for what is said there would be written into it. Nothing can be read from, or written to,
// what takes its place.
void keep_streams();

// Makes writing to a pipe that nobody reads an error that does not end the program.
void outlive_readers();

// For a program that goes on in a window: a console that the system made for it alone, since it was
// started by a click, goes.
void leave_own_console();

// For a sentence that went to the standard error: where that leads nowhere, as when the program was
// started by a click, some systems show it in a window of their own until it is closed.
void show_unheard(const std::string& text);

}  // namespace sys
