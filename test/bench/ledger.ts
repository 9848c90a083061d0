// `report --ledger` at size: a ledger of a million rows against 100,000 attempts, with ids and by time alone.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reconcile } from '../../src/analysis/ledger/reconcile.ts'
import { readLedger } from '../../src/dataset/ledger/read.ts'
import { findZone } from '../../src/dataset/ledger/zone.ts'
import type { AccountCall } from '../../src/domain/reconciliation.ts'
import { START, makeCall } from '../support/ledgers.ts'

const CALLS = 100_000
const ROWS = 1_000_000
const folder = mkdtempSync(join(tmpdir(), 'assist-harness-bench-'))
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Ten a second; one in fifty ambiguous, one in twenty refused. */
const calls = Array.from({ length: CALLS }, (_, at): AccountCall => {
  const more =
    at % 50 === 0
      ? ({ usage: 'possible', came: 'timeout' } as const)
      : at % 20 === 1
        ? ({ usage: 'notCounted', came: 'HTTP 429' } as const)
        : { returnedId: `conversation-${at}` }
  return makeCall(at + 1, at * 100, at * 100 + (at % 50 === 0 ? 30_000 : 1500), more)
})

function writeLedger(name: string, shiftMs: number, hasIds: boolean): string {
  const path = join(folder, name)
  const file = openSync(path, 'w')
  writeSync(file, hasIds ? 'created_at,conversation_id,end_user_ref\n' : 'created_at,region\n')
  const counted = calls.filter(
    ({ usage, attempt }) => usage === 'certain' || (usage === 'possible' && (attempt ?? 0) % 100 === 1),
  )
  let lines: string[] = []
  for (let at = 0; at < ROWS; at += 1) {
    const call = at % 10 === 0 ? counted[at / 10] : undefined
    const time = new Date(
      (call === undefined ? START - 40_000_000 + at * 97 : call.from + 700) + shiftMs,
    ).toISOString()
    lines.push(
      hasIds
        ? `${time},${call?.returnedId ?? `other-${at}`},${call?.refs[0] ?? `person-${at % 5000}`}`
        : `${time},eu`,
    )
    if (lines.length === 10_000) {
      writeSync(file, `${lines.join('\n')}\n`)
      lines = []
    }
  }
  closeSync(file)
  return path
}

const zone = findZone('UTC')
if (zone === undefined) throw new Error('UTC is a zone')
try {
  for (const [name, shiftMs, hasIds] of [
    ['ids.csv', 45_000, true],
    ['times.csv', 0, false],
    ['shifted.csv', 3_600_000, false],
  ] as const) {
    const path = writeLedger(name, shiftMs, hasIds)
    const reading = performance.now()
    const { entries, files, faults } = await readLedger([path], {
      wishes: {},
      zone,
      statuses: undefined,
      near: undefined,
    })
    const read = seconds(reading)
    const comparing = performance.now()
    const { result } = reconcile({
      runId: 'run-1',
      calls,
      entries,
      files,
      rotatingIds: false,
      toleranceMs: 1000,
      offsetMs: undefined,
      notes: [],
    })
    const { verdict, clock, matched } = result
    process.stdout.write(
      `${name}: ${entries.length} rows read in ${read} (${faults.length} faults), reconciled in ${seconds(comparing)}, ` +
        `${Math.round(process.memoryUsage().rss / 2 ** 20)} MB; ${verdict.kind}, clock ${clock.offsetMs} ms (${clock.from}), ` +
        `matched ${matched.certain} + ${matched.possible} + ${matched.notCounted}\n`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
