// Whether a record can be read by its layout at all: number of cells, their size, quotes, columns without a name.
import { excerpt } from './excerpt.ts'
import type { CsvRecord } from './records.ts'

/** Over this a cell is no question but a file, or the trace of a quote that was never closed. */
const LARGEST_CELL_BYTES = 256 * 1024

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/**
 * What is wrong, and the mend; such a record is lost as a whole, its thread and turn are not to be trusted.
 * `isAnyLength`: of the cells at a place.
 */
export function checkRecord(
  { cells, brokenCell }: CsvRecord,
  width: number,
  header: readonly string[],
  isAnyLength: (place: number) => boolean,
): string | undefined {
  if (brokenCell !== undefined)
    return `cell ${brokenCell + 1} goes on after its closing quote; write "" for a quote inside a quoted cell, and look for one that was never closed`
  const large = cells.findIndex((cell, place) => isLarge(cell) && !isAnyLength(place))
  if (large !== -1) {
    const kilobytes = Math.ceil(Buffer.byteLength(cells[large] ?? '') / 1024)
    return `${nameCell(large, header)} holds ${kilobytes} KB, and 256 KB is the most; shorten it, or look for a quote that was never closed`
  }
  const extra = cells.findLast((cell, index) => index >= width && cell.trim() !== '')
  return extra === undefined
    ? undefined
    : `the row has ${cells.length} cells where the header names ${width} (the last is ${excerpt(extra)}); put quotes around a cell that holds the separator, or name the column`
}

const isLarge = (cell: string): boolean =>
  cell.length * 3 > LARGEST_CELL_BYTES && Buffer.byteLength(cell) > LARGEST_CELL_BYTES

const nameCell = (index: number, header: readonly string[]): string => {
  const name = header[index]?.trim() ?? ''
  return name === '' ? `cell ${index + 1}` : `the cell under ${excerpt(name)}`
}
