// `report --ledger`, through the built program: a run with every fault, killed and resumed, against the sandbox's own truth.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { beforeAll, describe, expect, test } from 'vitest'
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
  const pace = ['--concurrency', '3', '--rate', 'unlimited', '--timeout', '700ms']
  const words = ['run', 'set.csv', '--base-url', sandbox.url, ...pace, '--threshold', 'errors<=100%']
  const first = startProgram([...words, '--out', run, '--debug'], options)
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
  expect(resumed.code, resumed.screen).toBe(0)
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

/** What `report` says of the account with this ledger. */
async function against(name: string) {
  const { code, screen } = await runProgram(['report', run, '--ledger', name], options)
  expect(code, screen).toBe(0)
  expect(screen).toMatch(/^[✓!] Ledger: [\d,]+ calls /m)
  return readSummary(run).ledger
}

/** What the sandbox counted of the run. */
const truth = (): number => rows.filter(isOurs).length

describe('a usage export', () => {
  test('with conversation ids and end users is matched by them, in CSV and in JSON', async () => {
    const { quota } = readSummary(run)
    expect(truth()).toBeGreaterThanOrEqual(quota.min)
    const expected = {
      matchedBy: 'id',
      counted: truth(),
      others: 3,
      min: quota.min,
      max: quota.max,
      verdict: 'within',
      by: 0,
    }
    writeFileSync(join(folder, 'all.json'), JSON.stringify(rows))
    writeFileSync(join(folder, 'answer.json'), JSON.stringify({ calls: rows }))
    for (const name of [write('all.csv', rows), 'all.json', 'answer.json'])
      expect(await against(name), name).toEqual({ files: [name], ...expected })
  })

  test("without ids is compared as a total of the run's time", async () => {
    const timed = rows.filter(({ counted }) => counted).map(({ at }) => ({ at }))
    expect(await against(write('timed.csv', timed))).toMatchObject({
      matchedBy: 'total',
      counted: timed.length,
      others: 0,
    })
    const yesterday = timed.map(({ at }) => ({ at: new Date(Date.parse(at) - 864e5).toISOString() }))
    expect(await against(write('yesterday.csv', yesterday))).toMatchObject({ counted: 0, verdict: 'below' })
    const hourly = [{ Date: rows[0]?.at ?? '', Calls: readSummary(run).quota.max + 7 }]
    expect(await against(write('hourly.csv', hourly))).toMatchObject({ verdict: 'above', by: 7 })
  })

  test('that lacks answered calls lies below; one that counts refusals, above', async () => {
    const counted = rows.filter(isOurs)
    const { min, max } = readSummary(run).quota
    expect(await against(write('few.csv', counted.slice(0, min - 2)))).toMatchObject({
      verdict: 'below',
      by: 2,
    })
    const doubled = [...counted, ...counted.slice(0, max + 1 - counted.length)]
    expect(await against(write('many.csv', doubled))).toMatchObject({ verdict: 'above', by: 1 })
  })

  test('stands in the account, and is gone with the next report that names none', async () => {
    const page = (): string => readFileSync(join(run, 'report.html'), 'utf8')
    const result = /\d+ calls with an id of this run \(3 others in its time\): within the account/
    expect(await against('all.csv')).toMatchObject({ others: 3, verdict: 'within' })
    expect(page()).toMatch(result)
    expect((await runProgram(['report', run], options)).code).toBe(0)
    expect(page()).not.toMatch(result)
    expect(readSummary(run).ledger).toBeUndefined()
  })

  test.each([
    ['x.csv', 'when,who\n1,2\n', 'x.csv: no column has a time or an id (found: when, who)'],
    ['t.csv', 'at\nnoon\n', 't.csv:2: at "noon" is not a time; write it like 2026-11-20T12:31:05Z'],
    ['c.csv', 'at,calls\n2026-11-20,many\n', 'c.csv:2: calls "many" is not a whole number of calls'],
    ['j.json', '[{"at":', 'j.json: cannot be read as CSV or JSON ('],
    ['none.csv', undefined, 'none.csv: cannot be read as CSV or JSON ('],
  ])('%s with a fault is rejected, and nothing is written', async (name, text, message) => {
    if (text !== undefined) writeFileSync(join(folder, name), text)
    const { code, screen } = await runProgram(['report', run, '--ledger', name], options)
    expect([code, screen.startsWith(message)], screen).toEqual([2, true])
  })
})
