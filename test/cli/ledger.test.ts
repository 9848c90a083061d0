// `report --ledger`, through the built program: a run with every fault, killed and resumed, against the sandbox's own truth.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { readKept } from '../../src/cli/ledger/kept.ts'
import { readLedgerSettings } from '../../src/cli/ledger/read-options.ts'
import { reconcileRun } from '../../src/cli/ledger/reconcile-run.ts'
import { readManifest, runFolder } from '../../src/cli/run-folder.ts'
import { reconciliationSchema, type Reconciliation } from '../../src/domain/reconciliation.ts'
import { ledgerSentences } from '../../src/report/ledger/words.ts'
import { readSummary, runProgram, startProgram } from '../support/program.ts'
import { startSandboxProgram } from '../support/sandbox-program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const run = join(folder, 'run')
const KEY = 'run-key-0123456789'
const options = { cwd: folder, env: { ASSIST_API_KEY: KEY } }

/** As the sandbox exports it. */
interface Row {
  readonly at: string
  readonly keyFingerprint: string
  readonly conversationId: string | null
  readonly endUserRef: string | null
  readonly outcome: string
  readonly counted: boolean
}
let rows: Row[]
let ours: Row[]
const isOurs = (row: Row): boolean => row.counted && ours.includes(row)

beforeAll(async () => {
  const threads = Array.from({ length: 30 }, (_, at) =>
    [0, 1].map((turn) => `q${at}-${turn},t${at},Question ${at} of turn ${turn}?`),
  )
  writeFileSync(join(folder, 'set.csv'), `id,thread,message\n${threads.flat().join('\n')}\n`)
  writeFileSync(
    join(folder, 'sandbox.yaml'),
    `organizations: { acme: { keys: [{ key: ${KEY} }, { key: other-key-0123456789 }] } }
adminKey: admin-key-0123456789
latency: { kind: constant, delay: 60ms }
faults:
  - { kind: hang, when: { calls: [5] }, stage: after }
  - { kind: hang, when: { calls: [8] }, stage: before }
  - { kind: reset, when: { calls: [11, 17] }, stage: after }
  - { kind: server-error, when: { calls: [14] }, stage: before }
  - { kind: truncated, when: { calls: [20] } }
  - { kind: refusal, status: 429, when: { calls: [23] } }
  - { kind: hang, when: { calls: [55] }, stage: after }
`,
  )
  const sandbox = await startSandboxProgram(['--config', 'sandbox.yaml'], folder)
  const words = ['--concurrency', '3', '--rate', 'unlimited', '--timeout', '700ms', '--allow-errors', '100%']
  const first = startProgram(
    ['run', 'set.csv', '--base-url', sandbox.url, ...words, '--out', run, '--debug'],
    options,
  )
  const call = async (user: string): Promise<unknown> =>
    fetch(`${sandbox.url}/api/v1/assist`, {
      method: 'POST',
      headers: { authorization: 'Bearer other-key-0123456789', 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Something else?', endUserRef: user }),
    })
  await first.says(/attempt 3[0-9]:/)
  await Promise.all(['ann', 'bob', 'cid'].map(call))
  first.signal('SIGKILL')
  await first.ended
  const resumed = await runProgram(['run', '--resume', run], options)
  expect(resumed.code, resumed.stderr).toBe(0)
  const answer = await fetch(`${sandbox.url}/sandbox/usage?detail=calls`, {
    headers: { authorization: 'Bearer admin-key-0123456789' },
  })
  rows = ((await answer.json()) as { calls: Row[] }).calls
  await sandbox.stop()
  const fingerprint = (
    JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as { target: { keyFingerprint: string } }
  ).target.keyFingerprint
  ours = rows.filter((row) => row.keyFingerprint === fingerprint)
})

const write = (name: string, table: readonly object[]): string => {
  writeFileSync(join(folder, name), stringify([...table], { header: true, cast: { boolean: String } }))
  return name
}

/** Through the program, as a user does. */
async function against(name: string): Promise<{ result: Reconciliation; stderr: string }> {
  const { code, stderr } = await runProgram(['report', run, '--ledger', name], options)
  expect(code, stderr).toBe(0)
  const result = reconciliationSchema.parse(JSON.parse(readFileSync(join(run, 'ledger.json'), 'utf8')))
  expect(readSummary(run).quota).toMatchObject(result.account)
  return { result, stderr }
}

/** The same without a process of its own. */
async function compare(name: string, ...words: readonly string[]): Promise<Reconciliation> {
  const typed = { ledger: [join(folder, name)], 'ledger-zone': words[0] }
  const settings = readLedgerSettings(typed)
  if (settings === undefined) throw new Error('a ledger was named')
  const { attempts } = readSummary(run).quota
  const { result } = await reconcileRun(runFolder(run), readManifest(runFolder(run)), attempts, settings)
  return result
}

/** What the sandbox counted of the run. */
const truth = (): number => rows.filter(isOurs).length

describe('a ledger with the ids of both sides', () => {
  test('tells every call: what was counted after all, what was not, and what is not ours', async () => {
    writeFileSync(join(folder, 'usage.json'), JSON.stringify({ calls: rows }))
    const before = readSummary(run)
    const { result, stderr } = await against('usage.json')
    expect(before.quota.possible).toBeGreaterThan(4)
    expect(result.verdict.kind).toBe('within')
    expect(result.counted).toEqual({ min: truth(), max: truth() })
    expect(result.matched.certain).toBe(before.quota.certain)
    expect(result.unexplained).toEqual({ own: 0, others: 3 })
    expect(stderr).toMatch(/The ledger lies in the account's interval/)
    const { ledger, ...summary } = readSummary(run)
    expect([summary, ledger?.counted]).toEqual([before, { min: truth(), max: truth() }])
    expect(readFileSync(join(run, 'summary.md'), 'utf8')).toMatch(/### The ledger against the account/)
  })

  test('keeps the names of other people out of the folder', () => {
    const text = readFileSync(join(run, 'ledger.csv'), 'utf8')
    const lines: Record<string, string>[] = parse(text, { columns: true })
    expect(lines.filter(({ attempt }) => attempt !== '')).toHaveLength(readSummary(run).quota.attempts)
    expect(
      lines.filter(({ meaning }) => meaning === "counted in the run's time by others, or unknown"),
    ).toHaveLength(3)
    expect(text).not.toMatch(/\b(ann|bob|cid)\b/)
  })

  test('is kept by a report without it, as long as the account is the same', async () => {
    const { stderr } = await runProgram(['report', run], options)
    expect(stderr).toMatch(/The ledger against the account:/)
    const { certain, ...rest } = readSummary(run).quota
    expect(readKept(runFolder(run), { certain, ...rest }).result?.account.certain).toBe(certain)
    const later = readKept(runFolder(run), { ...rest, certain: certain + 1 })
    expect([later.result, later.notes]).toEqual([
      undefined,
      [expect.stringMatching(/of another account than this one/)],
    ])
  })
})

describe('a ledger of another shape', () => {
  test('under other names, with the refused calls in it, a clock behind and no conversations', async () => {
    const shifted = rows
      .filter((row) => row.counted || row.outcome === 'faulted')
      .map(({ at, endUserRef, counted }) => ({
        Epoch: (Date.parse(at) - 90_250) / 1000,
        Requester: endUserRef,
        Billed: counted ? 'yes' : 'no',
      }))
    const result = await compare(write('epoch.csv', shifted))
    expect(result).toMatchObject({ verdict: { kind: 'within' }, counted: { min: truth(), max: truth() } })
    expect(Math.abs(result.clock.offsetMs + 90_250)).toBeLessThan(500)
    expect(ledgerSentences(result).join('\n')).toMatch(/1 min 30 s behind ours, by end users/)
  })

  test('with nothing but times in local time, among other traffic', async () => {
    const format = (at: string): string =>
      new Date(Date.parse(at) + 3_600_000).toISOString().slice(0, -1).replace('T', ' ')
    const table = rows.filter(({ counted }) => counted).map(({ at }) => ({ Zeitpunkt: format(at) }))
    const result = await compare(write('times.csv', table), '+01:00')
    expect(result.matched.certain).toBe(result.account.certain)
    expect(result.counted.min).toBeLessThanOrEqual(truth())
    expect(result.counted.max).toBeGreaterThanOrEqual(truth())
    // Times alone cannot tell the three rows of others from refused calls of the same moment, which a busy machine may make.
    expect(['within', 'withinButDiffers', 'above']).toContain(result.verdict.kind)
    expect(result.verdict.by).toBeLessThanOrEqual(3)
  })

  test('by the hour: the totals lie in the account', async () => {
    const hours = new Map<string, number>()
    for (const row of rows.filter(isOurs))
      hours.set(row.at.slice(0, 13), (hours.get(row.at.slice(0, 13)) ?? 0) + 1)
    const table = [...hours].map(([hour, calls]) => ({
      Date: hour.slice(0, 10),
      Hour: hour.slice(11),
      Calls: calls,
    }))
    const result = await compare(write('hours.csv', table))
    expect(result).toMatchObject({ mode: 'totals', verdict: { kind: 'within' }, totals: truth() })
  })

  test('that counts refusals says so prominently', async () => {
    const table = ours
      .filter(({ counted, outcome }) => counted || outcome === 'faulted')
      .map(({ at, conversationId, endUserRef }) => ({ at, conversationId, endUserRef }))
    const { result, stderr } = await against(write('refusals.csv', table))
    expect(result.countedRefusals).toEqual([{ what: 'HTTP 429', counted: 1, of: 1, sureness: 'sure' }])
    expect(stderr).toMatch(/The assumption is wrong: 1 of 1 attempt taken as not counted \(HTTP 429\)/)
  })
})

test('what is wrong with it is said with file and line, and nothing is written', async () => {
  writeFileSync(join(folder, 'odd.csv'), 'name,calls\nAnn,7\nBob,8\n')
  const before = readFileSync(join(run, 'ledger.json'), 'utf8')
  const { code, stderr } = await runProgram(['report', run, '--ledger', 'odd.csv'], options)
  expect(code).toBe(2)
  expect(stderr).toMatch(/^odd\.csv: no column holds times \(found: "name", "calls"\)/)
  expect(readFileSync(join(run, 'ledger.json'), 'utf8')).toBe(before)
})
