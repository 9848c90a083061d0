// The rows of one file of a ledger: its columns are found, its times understood, its rows counted.
import type { LedgerFile } from '../../domain/reconciliation.ts'
import type { LedgerEntry, LedgerRole } from '../../domain/ledger.ts'
import { excerpt } from '../excerpt.ts'
import type { Remark } from '../table-listener.ts'
import { readCount, readCounted } from './cells.ts'
import { findLedgerColumns, type ColumnWishes, type LedgerColumns } from './columns.ts'
import { dayOrder, type TimedRow } from './day-order.ts'
import { StepFinder } from './steps.ts'
import { parseTime } from './time.ts'
import type { Zone } from './zone.ts'

/** Rows by which the columns are guessed. */
const SAMPLE = 200

export interface LedgerReading {
  readonly wishes: ColumnWishes
  readonly zone: Zone
  /** Only rows of these count; undefined where every row does. */
  readonly statuses: readonly string[] | undefined
  /** When the run was, milliseconds since the epoch: tells day from month where both are possible. */
  readonly near: { readonly from: number; readonly until: number } | undefined
}

export interface LedgerListener {
  readonly fail: (remark: Remark) => void
  readonly warn: (remark: Remark, kind?: string) => void
}

interface Row extends TimedRow {
  readonly line: number
  readonly offset: number | undefined
  readonly count: number
  readonly conversationId: string | undefined
  readonly endUserRef: string | undefined
  readonly status: string | undefined
}

export type LedgerFacts = Pick<LedgerFile, 'rows' | 'columns' | 'guessed' | 'notCounting' | 'stepMs' | 'zone'>

export class LedgerTable {
  readonly #header: readonly string[]
  readonly #reading: LedgerReading
  readonly #listener: LedgerListener
  #waiting: { readonly cells: readonly string[]; readonly line: number }[] = []
  #columns: LedgerColumns | undefined
  #guessed: readonly LedgerRole[] = []
  #isFaulty = false
  #rows: Row[] = []
  #all = 0
  #notCounting = 0
  readonly #steps = new StepFinder()
  /** Statuses are few: each is kept once. */
  readonly #texts = new Map<string, string>()

  constructor(header: readonly string[], reading: LedgerReading, listener: LedgerListener) {
    this.#header = header
    this.#reading = reading
    this.#listener = listener
  }

  take(cells: readonly string[], line: number): void {
    this.#all += 1
    if (this.#columns !== undefined) this.#read(cells, line, this.#columns)
    else if (!this.#isFaulty && this.#waiting.push({ cells, line }) === SAMPLE) this.#findColumns()
  }

  /** `file`: its number. */
  finish(file: number): { readonly entries: LedgerEntry[]; readonly facts: LedgerFacts } {
    if (this.#columns === undefined && !this.#isFaulty) this.#findColumns()
    const step = this.#steps.finish((this.#columns?.count ?? []).length > 0)
    const isZoneNeeded = this.#rows.some(({ local, offset }) => local !== undefined && offset === undefined)
    return {
      entries: this.#entries(file, step ?? 1),
      facts: {
        rows: this.#all,
        columns: this.#names(),
        guessed: [...this.#guessed],
        notCounting: this.#notCounting,
        stepMs: step ?? null,
        zone: isZoneNeeded ? this.#reading.zone.name : null,
      },
    }
  }

  #findColumns(): void {
    const sample = this.#waiting.map(({ cells }) => cells)
    const finding = findLedgerColumns(this.#header, sample, this.#reading.wishes)
    if (finding.kind === 'faulty') {
      this.#isFaulty = true
      this.#listener.fail({ message: finding.message })
      return
    }
    this.#columns = finding.columns
    this.#guessed = finding.guessed
    for (const { cells, line } of this.#waiting) this.#read(cells, line, finding.columns)
    this.#waiting = []
  }

  #read(cells: readonly string[], line: number, columns: LedgerColumns): void {
    const cell = (role: LedgerRole): string => (cells[columns[role]?.[0] ?? -1] ?? '').trim()
    const has = (role: LedgerRole): boolean => (columns[role] ?? []).length > 0
    const fail = (role: LedgerRole, message: string): void =>
      this.#listener.fail({ line, column: role, message: `${message} (column ${this.#nameOf(role)})` })
    const time = (columns.time ?? [])
      .map((place) => cells[place]?.trim() ?? '')
      .join(' ')
      .trim()
    const parsed = time === '' ? undefined : parseTime(time)
    if (time !== '' && parsed === undefined)
      return fail(
        'time',
        `${excerpt(time)} is no time that is understood; delete a row of totals, or name another column`,
      )
    const counted = !has('counted') ? true : readCounted(cell('counted'))
    if (counted === undefined) return fail('counted', `${excerpt(cell('counted'))} is neither yes nor no`)
    const count = !has('count') ? 1 : readCount(cell('count') || '0')
    if (count === undefined)
      return fail(
        'count',
        `${excerpt(cell('count'))} is no whole number of calls from 0 on; say count=none if the column is something else`,
      )
    const { statuses } = this.#reading
    const status = this.#once(cell('status'))
    if (!counted || count === 0 || (statuses !== undefined && !statuses.includes(status ?? ''))) {
      this.#notCounting += 1
      return
    }
    if (parsed !== undefined) this.#steps.add(parsed.local, parsed.step)
    this.#rows.push({
      line,
      local: parsed?.local,
      swapped: parsed?.swapped,
      offset: parsed?.offset,
      count,
      conversationId: cell('conversation') || undefined,
      endUserRef: cell('user') || undefined,
      status,
    })
  }

  #entries(file: number, step: number): LedgerEntry[] {
    const { zone, near } = this.#reading
    const isSwapped = dayOrder(this.#rows, near, (message) => this.#listener.warn({ message }))
    const entries = this.#rows.map(({ local, swapped, offset, ...row }): LedgerEntry => {
      const shown = isSwapped ? (swapped ?? local) : local
      if (shown === undefined) return { file, ...row, at: undefined, until: Infinity }
      const toUtc = offset === undefined ? zone.toUtc : (time: number) => time - offset * 60_000
      if (offset === undefined && zone.isTwice(shown))
        this.#listener.warn(
          {
            line: row.line,
            message: 'a time that the clocks show twice: it is taken as the first of the two',
          },
          'twice',
        )
      return { file, ...row, at: toUtc(shown), until: toUtc(shown + step) }
    })
    this.#rows = []
    return entries
  }

  #names(): LedgerFacts['columns'] {
    const roles = Object.keys(this.#columns ?? {}) as LedgerRole[]
    return Object.fromEntries(
      roles.filter((role) => this.#columns?.[role]?.length).map((role) => [role, this.#nameOf(role)]),
    )
  }

  #nameOf = (role: LedgerRole): string =>
    (this.#columns?.[role] ?? []).map((place) => this.#header[place]?.trim() ?? '').join('+')

  #once(text: string): string | undefined {
    if (text === '') return undefined
    const known = this.#texts.get(text)
    if (known === undefined && this.#texts.size < 1000) this.#texts.set(text, text)
    return known ?? text
  }
}
