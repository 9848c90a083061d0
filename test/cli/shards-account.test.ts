// Parts side by side against one limit, with every kind of failure and a kill: the joined account against the sandbox's own ledger.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readResults, readSummary, runProgram, startProgram } from '../support/program.ts'
import { startSandboxProgram } from '../support/sandbox-program.ts'
import { partFolders } from '../support/shards.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const KEY = 'run-key-0123456789'
const options = { cwd: folder, env: { ASSIST_API_KEY: KEY } }
const TURNS = 80

test(
  'what the parts cost together is what the endpoint counted, call by call',
  { timeout: 240_000 },
  async () => {
    const threads = Array.from({ length: TURNS / 2 }, (_, at) =>
      [0, 1].map((turn) => `q${at}-${turn},t${at},Question ${at} of turn ${turn}?`),
    )
    writeFileSync(join(folder, 'set.csv'), `id,thread,message\n${threads.flat().join('\n')}\n`)
    writeFileSync(
      join(folder, 'sandbox.yaml'),
      `organizations: { acme: { keys: [{ key: ${KEY} }] } }
adminKey: admin-key-0123456789
rateLimit: { rules: [{ kind: token-bucket, limit: 20, window: 1s, burst: 5 }], retryAfter: seconds }
latency: { kind: constant, delay: 40ms }
faults:
  - { kind: hang, when: { calls: [5] }, stage: after }
  - { kind: hang, when: { calls: [18] }, stage: before }
  - { kind: reset, when: { calls: [11, 27] }, stage: after }
  - { kind: server-error, when: { calls: [34] }, stage: before }
  - { kind: truncated, when: { calls: [40] } }
`,
    )
    const sandbox = await startSandboxProgram(['--config', 'sandbox.yaml'], folder)
    const parts = partFolders('run', 3)
    const shared =
      `--base-url ${sandbox.url} --organization acme --timeout 1s --rate 20/s --allow-errors 100% --debug`.split(
        ' ',
      )
    const running = parts.map((part, place) =>
      startProgram(['run', 'set.csv', ...shared, '--out', part, '--shard', `${place + 1}/3`], options),
    )
    await running[1]?.says(/attempt 4:/)
    running[1]?.signal('SIGKILL')
    await Promise.all(running.map(async ({ ended }) => ended))
    const refused = await runProgram(['merge', ...parts, '--out', 'joined'], options)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('part 2 of 3')])
    const resumed = await runProgram(['run', '--resume', parts[1] ?? ''], options)
    expect(resumed.code, resumed.stderr).toBe(0)
    const answer = await fetch(`${sandbox.url}/sandbox/usage?detail=calls`, {
      headers: { authorization: 'Bearer admin-key-0123456789' },
    })
    const { calls } = (await answer.json()) as { calls: { counted: boolean }[] }
    await sandbox.stop()
    writeFileSync(join(folder, 'usage.json'), JSON.stringify({ calls }))

    const merged = await runProgram(['merge', ...parts, '--out', 'joined'], options)
    expect(merged.code, merged.stderr).toBe(0)
    const { quota, run, turns, errors } = readSummary(join(folder, 'joined'))
    const counted = calls.filter((call) => call.counted).length
    expect(turns.total).toBe(TURNS)
    expect(turns.answered + errors.errors + turns.skipped).toBe(TURNS)
    expect(run.sittings).toBe(2)
    expect(counted).toBeGreaterThanOrEqual(quota.min)
    expect(counted).toBeLessThanOrEqual(quota.max)
    const each = parts.map((part) => readSummary(join(folder, part)).quota)
    for (const name of ['attempts', 'certain', 'possible', 'notCounted'] as const)
      expect(quota[name], name).toBe(each.reduce((sum, one) => sum + one[name], 0))
    const rows = readResults(join(folder, 'joined'))
    expect(rows.reduce((sum, row) => sum + Number(row['attempts']), 0)).toBe(quota.attempts)

    const told = await runProgram(['report', 'joined', '--ledger', 'usage.json'], options)
    expect(told.code, told.stderr).toBe(0)
    expect(readSummary(join(folder, 'joined')).ledger).toMatchObject({ verdict: 'within', matchedBy: 'id' })
  },
)
