// The header of another tool's file: its columns by name, and what may stand beside them.
import { columnKey, findColumn, type ColumnName } from '../columns.ts'
import { excerpt, excerptList } from '../excerpt.ts'
import { findTwins, listPlaces, type Place } from '../layout.ts'
import type { HeaderFault } from '../remarks.ts'
import { carried, type ImportedColumn } from './importer.ts'

export class ForeignHeader {
  readonly #places: readonly Place[]
  readonly #indexes: ReadonlyMap<string, number>

  constructor(header: readonly string[]) {
    this.#places = listPlaces(header).filter((place) => place.header !== '')
    this.#indexes = new Map(
      this.#places.map((place) => [columnKey(place.header), place.index] as const).reverse(),
    )
  }

  /** Names are compared as in our own sets: whatever their case, spaces and punctuation. */
  has(name: string): boolean {
    return this.#indexes.has(columnKey(name))
  }

  /** Place of the first of the names that is there; -1 if none is. */
  find(...names: readonly string[]): number {
    for (const name of names) {
      const index = this.#indexes.get(columnKey(name))
      if (index !== undefined) return index
    }
    return -1
  }

  /** All of these are there, and nothing but these and those that may be. */
  isWhole(needed: readonly string[], allowed: readonly string[] = []): boolean {
    const known = new Set([...needed, ...allowed].map(columnKey))
    return (
      needed.every((name) => this.has(name)) &&
      this.#places.every(({ header }) => known.has(columnKey(header)))
    )
  }

  /** The columns that stand at no place of these, and how they are carried: under one of our own names, or as they are. */
  others(taken: readonly number[], made: readonly ColumnName[]): { column: ImportedColumn; index: number }[] {
    return this.#places
      .filter(({ index }) => !taken.includes(index))
      .map(({ header, index }) => ({ index, column: carried(header, made) }))
  }

  /** What is wrong: needed columns that are missing; else names that stand twice, our own beside what is imported. */
  findFaults(title: string, needed: readonly string[], made: readonly ColumnName[]): HeaderFault[] {
    const missing = needed.filter((name) => !this.has(name))
    const headers = this.#places.map(({ header }) => header)
    if (missing.length > 0) {
      const columns = `${missing.length === 1 ? 'a column' : 'the columns'} ${excerptList(missing)}`
      const message = `${title} has ${columns} (found: ${excerptList(headers)}); name ${missing.length === 1 ? 'it' : 'them'} so, or leave out --format`
      return [{ column: missing[0] ?? '', message }]
    }
    const keys = new Set(needed.map(columnKey))
    const clashes = headers.filter((header) => {
      const found = findColumn(header)
      return found?.isOwn === true && made.includes(found.name) && !keys.has(columnKey(header))
    })
    return [
      ...clashes.map((header) => ({
        column: header,
        message: `the column ${excerpt(header)} stands beside those that ${title} fills it from; rename or delete it`,
      })),
      ...findTwins({ own: new Map(), ordinary: this.#places }),
    ]
  }
}

/** The cell of a record; empty where there is no such place. */
export const cellAt = (cells: readonly string[], index: number): string => cells[index]?.trim() ?? ''
