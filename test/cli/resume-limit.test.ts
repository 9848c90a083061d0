// The limit in the report of a run that went on in several sittings, or in parts: it rests on the refusals of all of them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { Summary } from '../../src/domain/summary.ts'
import { readSummary, runProgram, type Ended } from '../support/program.ts'
import { startSandboxProgram } from '../support/sandbox-program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const KEY = 'run-key-0123456789'
const rows = Array.from({ length: 60 }, (_, place) => `Question ${place}?`)
writeFileSync(join(folder, 'set.csv'), `message\n${rows.join('\n')}\n`)
writeFileSync(
  join(folder, 'sandbox.yaml'),
  `organizations: { acme: { keys: [{ key: ${KEY} }] } }
rateLimit: { rules: [{ kind: token-bucket, limit: 10, window: 1s, burst: 3 }], retryAfter: none }
`,
)
const go = async (...words: readonly string[]): Promise<Ended> =>
  runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: KEY } })
const limitOf = (out: string): NonNullable<Summary['pacing']['limit']> => {
  const { limit } = readSummary(join(folder, out)).pacing
  if (limit === null) throw new Error(`no limit was met in ${out}`)
  return limit
}

/** What each sitting's limiter had counted at its end. */
function countedBySitting(out: string): number[] {
  const counts: number[] = []
  for (const line of readFileSync(join(folder, out, 'journal.ndjson'), 'utf8').split('\n')) {
    if (!/"kind":"(sitting|pace)"/.test(line)) continue
    const record = JSON.parse(line) as JournalRecord
    if (record.kind === 'sitting') counts.push(0)
    if (record.kind === 'pace' && record.limit !== undefined) counts.splice(-1, 1, record.limit.refusals)
  }
  return counts
}

test('of all sittings, and of all parts', { timeout: 120_000 }, async () => {
  const sandbox = await startSandboxProgram(['--config', 'sandbox.yaml'], folder)
  const asking = ['run', 'set.csv', '--base-url', sandbox.url, '--start-rate', '20/s']
  const part = (index: number): string[] => [...asking, '--shard', `${index}/2`, '--out', `part-${index}`]
  await go(...asking, '--out', 'whole', '--max-calls', '30')
  const before = readSummary(join(folder, 'whole')).pacing
  const resumed = await go('run', '--resume', 'whole', '--max-calls', '1000')
  const parted = [await go(...part(1)), await go(...part(2))]
  const merged = await go('merge', 'part-1', 'part-2', '--out', 'joined')
  await sandbox.stop()
  for (const { code, stderr } of [resumed, ...parted, merged]) expect(code, stderr).toBe(0)

  const counts = countedBySitting('whole')
  expect(counts).toEqual([before.limit?.refusals, expect.any(Number)])
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(limitOf('whole').refusals).toBe(counts.reduce((sum, one) => sum + one, 0))
  expect(limitOf('whole').refusals).toBeLessThanOrEqual(readSummary(join(folder, 'whole')).pacing.rateLimited)

  const [one, other] = [limitOf('part-1'), limitOf('part-2')]
  expect(limitOf('joined')).toMatchObject({
    refusals: one.refusals + other.refusals,
    episodes: one.episodes + other.episodes,
  })
})
