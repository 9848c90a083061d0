// The quote that `results.csv` puts before what a spreadsheet could take for a formula, taken off again.

/** Undoes the writer's rule: it puts a `'` before any cell that matches this without the first quote. */
export const undoDefusing = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
