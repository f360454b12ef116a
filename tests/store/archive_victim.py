"""Stores and archives tasks without end and prints each that is written, until it is killed."""

import os
import sys
from pathlib import Path

from lazyboy_jupyter.store.database import open_database
from tests.store.archiving import store_answer, store_task

if __name__ == "__main__":
    database = open_database(Path(sys.argv[1]))
    number = 0
    while True:
        number += 1
        store_task(database, f"t{number}", text=f"Question {number}? " * 500)
        database.archive.keep(f"t{number}", soon=True).result()
        os.write(1, f"t{number}\n".encode())
        store_answer(database, f"t{number}")  # and once more, in place of what is there
        database.archive.keep(f"t{number}", soon=True).result()
