// As much of gettext's interface as GLib asks for. Its messages, which nobody sees here, stay
// English.
#pragma once

#define ATTNSCOPE_FORMAT(n) __attribute__((format_arg(n)))

#ifdef __cplusplus
extern "C" {
#endif
char* gettext(const char* message) ATTNSCOPE_FORMAT(1);
char* dgettext(const char* domain, const char* message) ATTNSCOPE_FORMAT(2);
char* dcgettext(const char* domain, const char* message, int category) ATTNSCOPE_FORMAT(2);
char* ngettext(const char* one, const char* many, unsigned long count) ATTNSCOPE_FORMAT(1)
    ATTNSCOPE_FORMAT(2);
char* dngettext(const char* domain, const char* one, const char* many, unsigned long count)
    ATTNSCOPE_FORMAT(2) ATTNSCOPE_FORMAT(3);
char* textdomain(const char* domain);
char* bindtextdomain(const char* domain, const char* folder);
char* bind_textdomain_codeset(const char* domain, const char* codeset);
#ifdef __cplusplus
}
#endif
