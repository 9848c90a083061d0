// What was typed of a usage ledger, and what it means.
import { findZone, type Zone } from '../../dataset/ledger/zone.ts'
import type { ColumnWishes } from '../../dataset/ledger/columns.ts'
import { LEDGER_ROLES, type LedgerRole } from '../../domain/ledger.ts'
import { didYouMean } from '../suggest.ts'
import { UsageError } from '../usage-error.ts'
import { LEDGER_OPTIONS } from './options.ts'

export interface LedgerSettings {
  readonly paths: readonly string[]
  readonly wishes: ColumnWishes
  readonly zone: Zone
  readonly statuses: readonly string[] | undefined
  readonly toleranceMs: number
  /** Undefined: to be estimated. */
  readonly offsetMs: number | undefined
}

/** Undefined where no ledger is named. Throws UsageError naming the option. */
export function readLedgerSettings(typed: Readonly<Record<string, unknown>>): LedgerSettings | undefined {
  const paths = textsOf(typed, 'ledger')
  if (paths.length === 0) {
    const lonely = Object.keys(LEDGER_OPTIONS).find((name) => typed[name] !== undefined)
    if (lonely === undefined) return undefined
    throw new UsageError(`--${lonely} says how to read a ledger: name it with --ledger FILE`)
  }
  if (paths.some((path) => path.trim() === '')) throw new UsageError('--ledger must not be empty')
  const zoneName = textOf(typed, 'ledger-zone')
  const zone = findZone(zoneName ?? 'UTC')
  if (zone === undefined)
    throw new UsageError('--ledger-zone must be a time zone, like UTC, +02:00 or Europe/Berlin')
  const statuses = textsOf(typed, 'ledger-status').flatMap((words) =>
    words.split(',').map((word) => word.trim()),
  )
  const offset = textOf(typed, 'ledger-offset')
  return {
    paths,
    wishes: readWishes(textsOf(typed, 'ledger-columns')),
    zone,
    statuses: statuses.length === 0 ? undefined : statuses,
    toleranceMs: readSpan('ledger-tolerance', textOf(typed, 'ledger-tolerance') ?? '1s', false),
    offsetMs:
      offset === undefined || offset.trim() === 'auto' ? undefined : readSpan('ledger-offset', offset, true),
  }
}

function readWishes(texts: readonly string[]): ColumnWishes {
  const wishes: Partial<Record<LedgerRole, readonly string[]>> = {}
  for (const part of texts.flatMap((words) => words.split(',')).map((word) => word.trim())) {
    const [name = '', ...rest] = part.split('=')
    const column = rest.join('=').trim()
    const role = LEDGER_ROLES.find((one) => one === name.trim().toLowerCase())
    if (role === undefined || column === '')
      throw new UsageError(
        `--ledger-columns must be ROLE=COLUMN, with a role of ${LEDGER_ROLES.join(', ')}${role === undefined ? didYouMean(name.trim(), LEDGER_ROLES) : ''}`,
      )
    if (wishes[role] !== undefined) throw new UsageError(`--ledger-columns names ${role} twice; name it once`)
    wishes[role] =
      column === 'none' ? [] : role === 'time' ? column.split('+').map((one) => one.trim()) : [column]
  }
  return wishes
}

const UNITS = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 } as const

/** `1.5s`, `-2m`: milliseconds. */
function readSpan(option: string, written: string, isSigned: boolean): number {
  const [, sign = '', number, unit] = /^([+-]?)(\d+(?:\.\d+)?)\s*(ms|s|min|m|h)?$/.exec(written.trim()) ?? []
  if (number === undefined || (sign === '-' && !isSigned))
    throw new UsageError(
      `--${option} must be a time like 500ms, 2s or 1h${isSigned ? ', with a minus for a clock behind' : ''}`,
    )
  return (sign === '-' ? -1 : 1) * Number(number) * UNITS[(unit ?? 's') as keyof typeof UNITS]
}

function textOf(typed: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const given = typed[name]
  if (Array.isArray(given)) throw new UsageError(`--${name} is given twice; give it once`)
  return typeof given === 'string' ? given : undefined
}

const textsOf = (typed: Readonly<Record<string, unknown>>, name: string): string[] =>
  ((typed[name] as unknown[] | undefined) ?? []).map(String)
