// Protects recorded answers against SIGKILL at random moments: after resumes nothing is lost and nothing is
// sent twice, by the final result, the journal and the endpoint's ledger.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../src/stats/random.ts'
import {
  attemptsOf,
  journalLines,
  resentWithoutCause,
  continuedAfterAmbiguous,
} from '../properties/harness.ts'
import { readJournals, sizeOfJournals } from '../support/journals.ts'
import { readResults, readSummary, startProgram } from '../support/program.ts'
import { startSandboxProgram } from '../support/sandbox-program.ts'
import { usageOf } from '../support/sandbox-usage.ts'
import { temporaryFolder } from '../support/temporary.ts'

const [TURNS, KILLS, CONCURRENCY] = [70, 6, 6]
/** Share of the turns after which the last kill comes at the latest. */
const LATEST = 0.7
const KEY = 'soak-key-0123456789'
const ADMIN_KEY = 'soak-admin-0123456789'
const SANDBOX = `
adminKey: ${ADMIN_KEY}
organizations: { acme: { keys: [{ key: ${KEY} }] } }
rateLimit: { rules: [{ kind: token-bucket, limit: 100, window: 1s, burst: 8 }] }
latency: { kind: lognormal, median: 40ms, p95: 120ms }
faults:
  - { kind: server-error, when: { rate: 0.01 }, stage: after }
  - { kind: server-error, when: { rate: 0.01 }, stage: before }
  - { kind: reset, when: { rate: 0.005 } }
  - { kind: truncated, when: { rate: 0.005 } }
`

/** Threads of one to six turns. */
function writeSet(path: string, turns: number, random: () => number): void {
  const rows: string[] = []
  for (let thread = 1; rows.length < turns; thread += 1)
    for (let turn = 1, length = 1 + Math.floor(random() * 6); turn <= length; turn += 1)
      rows.push(`t${thread},VPN access of t${thread}.${turn}\n`)
  writeFileSync(path, `thread,message\n${rows.slice(0, turns).join('')}`)
}

test('a run that is killed and resumed repeatedly ends whole', { timeout: 90_000 }, async () => {
  const folder = temporaryFolder()
  const random = seededRandom(7)
  writeSet(join(folder, 'set.csv'), TURNS, random)
  writeFileSync(join(folder, 'sandbox.yaml'), SANDBOX)
  const sandbox = await startSandboxProgram(['--config', 'sandbox.yaml'], folder)
  onTestFinished(async () => sandbox.stop())
  const first = `run set.csv --base-url ${sandbox.url} --out run --concurrency ${CONCURRENCY} --rate unlimited`
  let [done, sessions] = [0, 0]
  let code: number | null = null
  for (; code !== 0 && code !== 1 && sessions < KILLS * 3 + 10; sessions += 1) {
    const line = existsSync(join(folder, 'run/run.json')) ? 'run --resume run' : first
    // Each session does about its share of the work, so that the kills are spread over the run. They do not
    // reach its end: a slow machine notices progress late, and the run must not have ended by then.
    const target = LATEST * TURNS * ((done + random()) / KILLS)
    code = await runAndKill(folder, line.split(' '), done < KILLS ? target : Infinity, random)
    if (code === null) done += 1
  }
  // A very slow machine may miss some kills: the run ends before they are due.
  expect(done).toBeGreaterThanOrEqual(KILLS / 2)
  const { counted: ledger } = await usageOf({ url: sandbox.url, adminKey: ADMIN_KEY })
  const run = join(folder, 'run')
  const { quota, turns } = readSummary(run)
  const attempts = attemptsOf(run)
  expect(readResults(run).filter(({ outcome }) => outcome !== '')).toHaveLength(TURNS)
  expect(turns).toMatchObject({ total: TURNS, notSent: 0 })
  expect([...resentWithoutCause(attempts), ...continuedAfterAmbiguous(attempts)]).toEqual([])
  const intents = journalLines(run).filter((text) => text.includes('"kind":"intent"') && text.endsWith('}\n'))
  expect([intents.length, quota.attempts]).toEqual([attempts.length, attempts.length])
  expect(ledger).toBeGreaterThanOrEqual(quota.min)
  expect(ledger).toBeLessThanOrEqual(quota.max)
  const dangling = attempts.filter(({ result }) => result === 'nothing').length
  expect(dangling).toBeLessThanOrEqual(done * CONCURRENCY)
})

/**
 * Runs until that many turns have outcomes, waits a random moment, then sends SIGKILL. Returns null if
 * killed, otherwise the exit code.
 */
async function runAndKill(
  cwd: string,
  words: readonly string[],
  target: number,
  random: () => number,
): Promise<number | null> {
  const running = startProgram(words, { cwd, env: { TMPDIR: cwd, ASSIST_API_KEY: KEY } })
  const life = { ended: false }
  void running.ended.then(() => {
    life.ended = true
  })
  const out = join(cwd, 'run')
  const deadline = Date.now() + 120_000
  const before = sizeOfJournals(out)
  // One kill in ten comes during the start, before anything is written.
  const mayBeStarting = random() < 0.1
  // Reads the journals again only when they have grown.
  let [size, outcomes] = [-1, 0]
  const isFar = (): boolean => {
    const now = sizeOfJournals(out)
    if (now !== size) outcomes = readJournals(out).split('"kind":"outcome"').length - 1
    size = now
    return outcomes >= target && (mayBeStarting || now > before)
  }
  while (!life.ended && Date.now() < deadline && (!existsSync(out) || !isFar())) await sleep(2)
  if (target < Infinity) await sleep(random() * 80)
  running.signal('SIGKILL')
  const { code } = await running.ended
  if (code !== null && ![0, 1, 4].includes(code))
    throw new Error(`the run ended with ${code}:\n${running.stderr()}`)
  return code
}
