"""Drops a file on a window as a file manager does: the source's side of the XDND protocol, version 5,
over libX11. Standard library only."""
import ctypes
import ctypes.util
import time
from pathlib import Path

from limits import HANGS

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
REPLACE, CURRENT_TIME, ATOM = 0, 0, 4


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class Selection(ctypes.Structure):
    """XSelectionRequestEvent; XSelectionEvent is the same without the owner."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("owner", ctypes.c_ulong), ("requestor", ctypes.c_ulong),
                ("selection", ctypes.c_ulong), ("target", ctypes.c_ulong), ("property", ctypes.c_ulong),
                ("time", ctypes.c_ulong)]


class Notify(ctypes.Structure):
    _fields_ = [f for f in Selection._fields_ if f[0] != "owner"]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage), ("request", Selection), ("notify", Notify),
                ("pad", ctypes.c_long * 24)]


class Source:
    """A window that offers one file and gives it to whoever it is dropped on."""

    def __init__(self, display_name, uri):
        self.x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        for name, result in [("XOpenDisplay", ctypes.c_void_p), ("XDefaultRootWindow", ctypes.c_ulong),
                             ("XInternAtom", ctypes.c_ulong), ("XCreateSimpleWindow", ctypes.c_ulong)]:
            getattr(self.x, name).restype = result
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(display_name.encode()))
        root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))
        self.window = self.x.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, ctypes.c_ulong(0),
                                                 ctypes.c_ulong(0))
        self.data = uri.encode() + b"\r\n"

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def send(self, target, message, *data):
        event = Event()
        event.client.type = CLIENT_MESSAGE
        event.client.window = target
        event.client.message_type = self.atom(message)
        event.client.format = 32
        event.client.data[:] = [self.window, *data] + [0] * (4 - len(data))
        self.x.XSendEvent(self.display, ctypes.c_ulong(target), 0, ctypes.c_long(0), ctypes.byref(event))
        self.x.XFlush(self.display)

    def answer(self, request):
        """Gives the file's address to the one who asked for it."""
        self.x.XChangeProperty(self.display, ctypes.c_ulong(request.requestor),
                               ctypes.c_ulong(request.property), ctypes.c_ulong(request.target), 8, REPLACE,
                               self.data, len(self.data))
        event = Event()
        for name, _ in Notify._fields_:
            setattr(event.notify, name, getattr(request, name))
        event.notify.type = SELECTION_NOTIFY
        self.x.XSendEvent(self.display, ctypes.c_ulong(request.requestor), 0, ctypes.c_long(0),
                          ctypes.byref(event))
        self.x.XFlush(self.display)

    def drop(self, target, x, y):
        """True when the target says that it took the file."""
        uri_list, copy = self.atom("text/uri-list"), self.atom("XdndActionCopy")
        self.x.XSetSelectionOwner(self.display, ctypes.c_ulong(self.atom("XdndSelection")),
                                  ctypes.c_ulong(self.window), CURRENT_TIME)
        self.send(target, "XdndEnter", 5 << 24, uri_list)
        self.send(target, "XdndPosition", 0, x << 16 | y, CURRENT_TIME, copy)
        dropped = False
        end = time.monotonic() + HANGS
        while time.monotonic() < end:
            if not self.x.XPending(self.display):
                time.sleep(0.01)
                continue
            event = Event()
            self.x.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.answer(event.request)
            elif event.type == CLIENT_MESSAGE and event.client.message_type == self.atom("XdndStatus"):
                if not dropped and event.client.data[1] & 1:
                    dropped = True
                    self.send(target, "XdndDrop", 0, CURRENT_TIME)
            elif event.type == CLIENT_MESSAGE and event.client.message_type == self.atom("XdndFinished"):
                return True
        return False

    def close(self):
        self.x.XCloseDisplay(self.display)


def close_window(display_name, window):
    """Asks a window to close, as a window manager does when its button is pressed."""
    source = Source(display_name, "")
    try:
        event = Event()
        event.client.type = CLIENT_MESSAGE
        event.client.window = int(window)
        event.client.message_type = source.atom("WM_PROTOCOLS")
        event.client.format = 32
        event.client.data[:] = [source.atom("WM_DELETE_WINDOW"), CURRENT_TIME, 0, 0, 0]
        source.x.XSendEvent(source.display, ctypes.c_ulong(int(window)), 0, ctypes.c_long(0), ctypes.byref(event))
        source.x.XFlush(source.display)
    finally:
        source.close()


def drop_file(display_name, window, path, x=400, y=300):
    """Drops the file on the window at a place of the screen."""
    source = Source(display_name, Path(path).resolve().as_uri())
    try:
        return source.drop(int(window), x, y)
    finally:
        source.close()
