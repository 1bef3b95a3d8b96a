"""The pixels of a window, over libX11. Standard library only."""
import ctypes
import ctypes.util
import struct
import zlib


class Image(ctypes.Structure):
    """The beginning of XImage."""
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int),
                ("format", ctypes.c_int), ("data", ctypes.POINTER(ctypes.c_ubyte)), ("byte_order", ctypes.c_int),
                ("bitmap_unit", ctypes.c_int), ("bitmap_bit_order", ctypes.c_int), ("bitmap_pad", ctypes.c_int),
                ("depth", ctypes.c_int), ("bytes_per_line", ctypes.c_int)]


def pixels(display_name, window, x, y, width, height):
    """Rows of (red, green, blue), from a window of 24 bits stored blue first."""
    lib = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
    lib.XOpenDisplay.restype = ctypes.c_void_p
    lib.XGetImage.restype = ctypes.POINTER(Image)
    display = ctypes.c_void_p(lib.XOpenDisplay(display_name.encode()))
    try:
        image = lib.XGetImage(display, ctypes.c_ulong(int(window)), x, y, width, height,
                              ctypes.c_ulong(0xffffffff), 2).contents
        line = image.bytes_per_line
        data = ctypes.string_at(image.data, line * height)
        return [[(data[r * line + 4 * c + 2], data[r * line + 4 * c + 1], data[r * line + 4 * c])
                 for c in range(width)] for r in range(height)]
    finally:
        lib.XCloseDisplay(display)


def write_png(path, rows):
    """Pictures to look at when a test fails."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + bytes(v for pixel in row for v in pixel) for row in rows)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(raw, 6)) + chunk(b"IEND", b""))
