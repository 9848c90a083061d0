// Whether a record has the shape that the header says, whatever its cells mean.
import type { CsvRecord } from './csv.ts'
import { excerpt } from './excerpt.ts'
import { listPlaces } from './layout.ts'
import type { FileRemarks } from './remarks.ts'

/** Over this a cell is no question but a file, or the trace of a quote that was never closed. */
const LARGEST_CELL_BYTES = 256 * 1024

/**
 * False, and reported, where a record cannot be read at all: its thread and turn are not to be trusted. Missing cells are taken as
 * empty, as some spreadsheets leave them out. `isAnyLength`: of the cells at a place, from 0.
 */
export function createGate(
  header: readonly string[],
  { fail, warn }: FileRemarks,
  isAnyLength: (place: number) => boolean,
): (record: CsvRecord) => boolean {
  const places = listPlaces(header)
  const width = places.length
  /** Of columns without a name: their cells have to be empty. */
  const nameless = new Set(places.filter((place) => place.header === '').map(({ index }) => index))
  return (record) => {
    const { cells, line } = record
    const fault = faultOf(record, header, width, isAnyLength)
    if (fault !== undefined) {
      fail({ line, message: fault })
      return false
    }
    if (cells.length < width)
      warn(
        {
          line,
          message: `the row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} where the header names ${width}; the missing ones are taken as empty`,
        },
        'short row',
      )
    for (const index of nameless) {
      const cell = cells[index]?.trim() ?? ''
      if (cell === '') continue
      // Once a file.
      nameless.delete(index)
      fail({
        line,
        message: `cell ${index + 1} (${excerpt(cell)}) stands under no column name; name the column in the header, or empty its cells`,
      })
    }
    return true
  }
}

function faultOf(
  { cells, brokenCell }: CsvRecord,
  header: readonly string[],
  width: number,
  isAnyLength: (place: number) => boolean,
): string | undefined {
  if (brokenCell !== undefined)
    return `cell ${brokenCell + 1} goes on after its closing quote; write "" for a quote inside a quoted cell, and look for one that was never closed`
  const large = cells.findIndex((cell, place) => isLarge(cell) && !isAnyLength(place))
  if (large !== -1) {
    const kilobytes = Math.ceil(Buffer.byteLength(cells[large] ?? '') / 1024)
    const name = header[large]?.trim() ?? ''
    const where = name === '' ? `cell ${large + 1}` : `the cell under ${excerpt(name)}`
    return `${where} holds ${kilobytes} KB, and 256 KB is the most; shorten it, or look for a quote that was never closed`
  }
  const extra = cells.findLast((cell, index) => index >= width && cell.trim() !== '')
  return extra === undefined
    ? undefined
    : `the row has ${cells.length} cells where the header names ${width} (the last is ${excerpt(extra)}); put quotes around a cell that holds the separator, or name the column`
}

const isLarge = (cell: string): boolean =>
  cell.length * 3 > LARGEST_CELL_BYTES && Buffer.byteLength(cell) > LARGEST_CELL_BYTES
