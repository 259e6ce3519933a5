"""The firmware of the reader boards, seen from the table computer.

Owns: which files a board needs, bringing them there, and asking what is there. Refuses: the files themselves
(`firmware/`), and talking to a board while a table runs (`shell/readers`).
"""

from tablectl.firmware.board import Answer, ask
from tablectl.firmware.files import FileSet, load, release
from tablectl.firmware.flash import FlashError, flash

__all__ = ["Answer", "FileSet", "FlashError", "ask", "flash", "load", "release"]
