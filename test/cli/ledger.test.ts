// Protects `report --ledger`: a run with every fault, killed and resumed, against the sandbox's usage ledger.
import { stringify } from 'csv-stringify/sync'
import { beforeAll, expect, test } from 'vitest'
import { startSandboxProgram } from '../support/sandbox-program.ts'
import { callsOf, type SandboxCall } from '../support/sandbox-usage.ts'
import { openWorkspace } from '../support/workspace.ts'

const KEY = 'run-key-0123456789'
const threads = Array.from({ length: 30 }, (_, at) =>
  [0, 1].map((turn) => `q${at}-${turn},t${at},Question ${at} of turn ${turn}?`),
)
const { folder, put, read, json, summary, start, runLine, expectExit } = openWorkspace(
  {
    'set.csv': `id,thread,message\n${threads.flat().join('\n')}\n`,
    'sandbox.yaml': `organizations: { acme: { keys: [{ key: ${KEY} }, { key: other-key-0123456789 }] } }
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
  },
  { ASSIST_API_KEY: KEY },
)
let rows: SandboxCall[]
/** The calls of the run that the sandbox counted. */
let counted: SandboxCall[]

beforeAll(async () => {
  const sandbox = await startSandboxProgram(['--config', 'sandbox.yaml'], folder)
  const pace = '--concurrency 3 --rate unlimited --timeout 700ms'
  const first = start(
    `run set.csv --base-url ${sandbox.url} ${pace} --threshold errors<=100% --out run --debug`,
  )
  await first.waitForStderr(/attempt 3[0-9]:/)
  const headers = { authorization: 'Bearer other-key-0123456789', 'content-type': 'application/json' }
  const call = async (endUserRef: string): Promise<unknown> => {
    const body = JSON.stringify({ message: 'Something else?', endUserRef })
    return fetch(`${sandbox.url}/api/v1/assist`, { method: 'POST', headers, body })
  }
  await Promise.all(['ann', 'bob', 'cid'].map(call))
  first.signal('SIGKILL')
  await first.ended
  await expectExit(0, 'run --resume run')
  rows = await callsOf({ url: sandbox.url, adminKey: 'admin-key-0123456789' })
  await sandbox.stop()
  const { target } = json('run/run.json') as { target: { keyFingerprint: string } }
  counted = rows.filter((row) => row.counted && row.keyFingerprint === target.keyFingerprint)
})

const write = (name: string, table: readonly object[]): string =>
  put(name, stringify([...table], { header: true, cast: { boolean: String } }))

/** Reports with this ledger. Returns its result. */
async function reportWith(name: string) {
  const { screen } = await expectExit(0, `report run --ledger ${name}`)
  expect(screen).toMatch(/^[✓!] Ledger: [\d,]+ calls /m)
  return summary('run').ledger
}

test('a usage export with ids is matched by id, in CSV and in JSON', async () => {
  const { min, max } = summary('run').quota
  expect(counted.length).toBeGreaterThanOrEqual(min)
  const counts = { counted: counted.length, others: 3, duplicates: 0, min, max }
  const found = { matchedBy: 'id', ...counts, verdict: 'within', by: 0 }
  put('all.json', JSON.stringify(rows))
  put('answer.json', JSON.stringify({ calls: rows }))
  for (const name of [write('all.csv', rows), 'all.json', 'answer.json'])
    expect(await reportWith(name), name).toEqual(found)
})

test("a usage export without ids is compared as a total over the run's time", async () => {
  const timed = rows.filter((row) => row.counted).map(({ at }) => ({ at }))
  const total = { matchedBy: 'total', counted: timed.length, others: 0 }
  expect(await reportWith(write('timed.csv', timed))).toMatchObject(total)
  const yesterday = timed.map(({ at }) => ({ at: new Date(Date.parse(at) - 864e5).toISOString() }))
  expect(await reportWith(write('yesterday.csv', yesterday))).toMatchObject({ counted: 0, verdict: 'below' })
  const more = Array.from({ length: summary('run').quota.max + 7 }, (_, number) => ({
    at: rows[0]?.at,
    number,
  }))
  expect(await reportWith(write('more.csv', more))).toMatchObject({ verdict: 'above', by: 7, duplicates: 0 })
  expect(read('run/summary.md')).toContain('It counts refused calls or other traffic')
})

test('a ledger without some answered calls is below the account; one with too many calls is above', async () => {
  const { min, max } = summary('run').quota
  const few = counted.slice(0, min - 2)
  expect(await reportWith(write('few.csv', few))).toMatchObject({ verdict: 'below', by: 2 })
  const doubled = [...counted, ...counted.slice(0, max + 1 - counted.length)]
  const duplicates = doubled.length - counted.length
  expect(await reportWith(write('many.csv', doubled))).toMatchObject({ verdict: 'above', by: 1, duplicates })
  expect(read('run/summary.md')).toMatch(/1 above the account .*\. Duplicates: \d+ rows repeat another row/)
  expect(read('run/summary.md')).not.toContain('refused calls')
})

test('the report shows the ledger, and the next report without --ledger does not', async () => {
  const result = /\d+ calls with an id of this run \(3 others in its time\): within the account/
  expect(await reportWith(write('all.csv', rows))).toMatchObject({ others: 3, verdict: 'within' })
  expect(read('run/report.html')).toMatch(result)
  await expectExit(0, 'report run')
  expect(read('run/report.html')).not.toMatch(result)
  expect(summary('run').ledger).toBeUndefined()
})

const needed = 'these are totals; export one row for each call, with its time'
test.each([
  ['day.csv', 'date,calls\n2026-11-20,42\n2026-11-21,1\n', `day.csv:2: the row counts 42 calls: ${needed}`],
  ['quiet.csv', 'date,calls\n2026-11-20,1\n', `quiet.csv:2: date "2026-11-20" has no time of day: ${needed}`],
  [
    'month.json',
    '[{"date":"2026-11","calls":1}]',
    `month.json:1: date "2026-11" has no time of day: ${needed}`,
  ],
  ['user.csv', 'endUser,calls\nann,3\n', `user.csv:2: the row counts 3 calls: ${needed}`],
  [
    'hour.csv',
    'time,total\n2026-11-20T12:00:00Z,42\n2026-11-20T13:00:00Z,7\n',
    `hour.csv: every time is on a quarter of an hour: ${needed}`,
  ],
  [
    'keyed.json',
    '{"2026-11-20":42}',
    'keyed.json: this JSON holds no list of calls; export one row for each',
  ],
  [
    'x.csv',
    'when,who\n1,2\n',
    'x.csv: no column has a time or an id (found: when, who); export one row for each call',
  ],
  ['t.csv', 'at\nnoon\n', 't.csv:2: at "noon" is not a time; write it like 2026-11-20T12:31:05Z'],
  ['c.csv', 'at,calls\n2026-11-20,many\n', 'c.csv:2: calls "many" is not a whole number of calls'],
  ['j.json', '[{"at":', 'j.json: this is neither CSV nor JSON ('],
  ['none.csv', undefined, 'none.csv: no such file; check its name'],
])('the faulty ledger %s is rejected', async (name, text, message) => {
  if (text !== undefined) put(name, text)
  const { code, screen } = await runLine(`report run --ledger ${name}`)
  expect([code, screen.startsWith(message)], screen).toEqual([2, true])
})
