"""Where the rows of a recording go: memory, a CSV file or a Parquet file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from understudy.errors import FormatError, UnderstudyError
from understudy.formats import targets
from understudy.sensors.base import Array

TIME = "time_s"
_PARQUET_MAGIC = b"PAR1"
_GROUP_VALUES = 1 << 20  # numbers that are collected before they are written to a Parquet file
_PLACES = 12  # digits of a number in a CSV file


def extra(module: str, needs: str, name: str) -> Any:
    """Import a library of an optional extra; raises UnderstudyError that names the extra to install."""
    try:
        return import_module(module)
    except ImportError as problem:
        missing = module.partition(".")[0]
        raise UnderstudyError(
            f"{needs} needs {missing}, which is not installed: pip install 'understudy[{name}]'"
        ) from problem


class RowStore(Protocol):
    """Takes rows of numbers and gives them back as one table."""

    def begin(self, columns: Sequence[str]) -> None:
        """Start with no rows."""
        ...

    def put(self, row: Array) -> None:
        """Add a row, the time first."""
        ...

    def close(self) -> None:
        """Write what is left."""
        ...

    def table(self) -> Array:
        """Return all rows so far, (rows, columns)."""
        ...


class MemoryRows:
    """Keeps the rows."""

    def __init__(self) -> None:
        self._rows: list[Array] = []
        self._width = 0

    def begin(self, columns: Sequence[str]) -> None:
        """Start with no rows."""
        self._rows, self._width = [], len(columns)

    def put(self, row: Array) -> None:
        """Add a row."""
        self._rows.append(row)

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def table(self) -> Array:
        """Return all rows so far."""
        return np.array(self._rows).reshape(-1, self._width)


class CsvRows:
    """Writes a CSV file row by row; an unknown number is an empty cell."""

    def __init__(self, path: Path) -> None:
        targets.check(path, "a recording", lambda head: head.startswith(TIME.encode()))
        self._path = path
        self._file: IO[str] | None = None
        self._width = 0

    def begin(self, columns: Sequence[str]) -> None:
        """Write the names of the columns into an empty file."""
        self.close()
        self._file, self._width = self._path.open("w", newline="", encoding="utf-8"), len(columns)
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(columns)

    def put(self, row: Array) -> None:
        """Write a row."""
        if self._file is not None:
            now, *values = row.tolist()
            self._writer.writerow([f"{now:.6f}", *(f"{v:.{_PLACES}g}" if v == v else "" for v in values)])

    def close(self) -> None:
        """Close the file."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def table(self) -> Array:
        """Read the file back."""
        if self._file is not None:
            self._file.flush()
        with self._path.open(newline="", encoding="utf-8") as file:
            rows = [[float(cell) if cell else np.nan for cell in row] for row in csv.reader(file) if row[:1] != [TIME]]
        return np.array(rows, np.float64).reshape(-1, self._width)


class ParquetRows:
    """Writes a Parquet file in groups of rows."""

    def __init__(self, path: Path) -> None:
        self._arrow = extra("pyarrow", "a Parquet file", "data")
        self._parquet = extra("pyarrow.parquet", "a Parquet file", "data")
        targets.check(path, "a Parquet file", lambda head: head.startswith(_PARQUET_MAGIC))
        self._path = path
        self._writer: Any = None
        self._schema: Any = None
        self._waiting: list[Array] = []

    def begin(self, columns: Sequence[str]) -> None:
        """Open an empty file."""
        self._waiting = []
        self.close()
        self._schema = self._arrow.schema([(name, self._arrow.float64()) for name in columns])
        self._writer = self._parquet.ParquetWriter(str(self._path), self._schema)

    def put(self, row: Array) -> None:
        """Add a row."""
        self._waiting.append(row)
        if len(self._waiting) * len(row) >= _GROUP_VALUES:
            self._write()

    def _write(self) -> None:
        rows, self._waiting = self._waiting, []
        if self._writer is not None and rows:
            columns = [self._arrow.array(column) for column in np.array(rows).T]
            self._writer.write_table(self._arrow.table(columns, schema=self._schema))

    def close(self) -> None:
        """Write the rest and the end of the file."""
        self._write()
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def table(self) -> Array:
        """Read the file back; only a finished file can be read."""
        if self._writer is not None:
            raise UnderstudyError(f"{self._path} is still being written: close() the recording first")
        columns = self._parquet.read_table(str(self._path)).columns
        return np.column_stack([column.to_numpy() for column in columns])


def store_for(path: str | Path | None) -> RowStore:
    """Return where rows go by the suffix of a file name; None: memory. Raises FormatError for other suffixes."""
    if path is None:
        return MemoryRows()
    target = Path(path)
    if target.suffix.lower() == ".csv":
        return CsvRows(target)
    if target.suffix.lower() == ".parquet":
        return ParquetRows(target)
    raise FormatError(f"{path}: a recording is a .csv or a .parquet file; without a name it stays in memory")
