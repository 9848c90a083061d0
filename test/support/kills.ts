// Kills a run with SIGKILL repeatedly, resumes it each time, and checks the final result against the journal
// and the endpoint's ledger.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../src/stats/random.ts'
import {
  attemptsOf,
  journalLines,
  resentWithoutCause,
  continuedAfterAmbiguous,
} from '../properties/harness.ts'
import { readJournals, sizeOfJournals } from './journals.ts'
import { readResults, readSummary, startProgram } from './program.ts'
import { startSandboxProgram } from './sandbox-program.ts'
import { usageOf } from './sandbox-usage.ts'

export interface KillPlan {
  readonly turns: number
  readonly kills: number
  readonly seed: number
  readonly concurrency: number
}

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

/** Returns a line that summarizes the run, and a line for each violated requirement. */
export async function killRepeatedly(
  folder: string,
  plan: KillPlan,
): Promise<{ summary: string; faults: string[] }> {
  const { turns, kills, seed, concurrency } = plan
  mkdirSync(folder, { recursive: true })
  const random = seededRandom(seed)
  writeSet(join(folder, 'set.csv'), turns, random)
  writeFileSync(join(folder, 'sandbox.yaml'), SANDBOX)
  const sandbox = await startSandboxProgram(['--config', 'sandbox.yaml'], folder)
  try {
    const pace = ['--concurrency', String(concurrency), '--rate', 'unlimited']
    const first = ['run', 'set.csv', '--base-url', sandbox.url, '--out', 'run', ...pace]
    let [done, sessions] = [0, 0]
    let code: number | null = null
    for (; code !== 0 && code !== 1 && sessions < kills * 3 + 10; sessions += 1) {
      const words = existsSync(join(folder, 'run/run.json')) ? ['run', '--resume', 'run'] : first
      // Each session does about its share of the work, so that the kills are spread over the run. They do not
      // reach its end: a slow machine notices progress late, and the run must not have ended by then.
      const target = LATEST * turns * ((done + random()) / kills)
      code = await runAndKill(folder, words, done < kills ? target : Infinity, random)
      if (code === null) done += 1
    }
    const { counted: ledger } = await usageOf({ url: sandbox.url, adminKey: ADMIN_KEY })
    const summary = `${done} kills, ${sessions} sessions of ${turns} turns, seed ${seed}, ledger ${ledger}`
    return { summary, faults: findViolations(join(folder, 'run'), plan, done, ledger) }
  } finally {
    await sandbox.stop()
  }
}

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

function findViolations(
  run: string,
  { turns, kills, concurrency }: KillPlan,
  done: number,
  ledger: number,
): string[] {
  const results = readResults(run)
  const { quota, turns: counts } = readSummary(run)
  const attempts = attemptsOf(run)
  const intents = journalLines(run).filter((line) => line.includes('"kind":"intent"') && line.endsWith('}\n'))
  const dangling = attempts.filter(({ result }) => result === 'nothing').length
  const again = [...resentWithoutCause(attempts), ...continuedAfterAmbiguous(attempts)].map(
    ({ message }) => message,
  )
  const checks: [boolean, string][] = [
    // A very slow machine may miss some kills: the run ends before they are due.
    [done * 2 >= kills, `only ${done} of ${kills} kills`],
    [results.length === turns, `${results.length} rows for ${turns} turns`],
    [results.every(({ outcome }) => outcome !== '') && counts.notSent === 0, 'turns without an outcome'],
    [again.length === 0, `sent again or continued without cause: ${again.join(', ')}`],
    [intents.length === attempts.length, `${intents.length} intents with ${attempts.length} numbers`],
    [ledger >= quota.min && ledger <= quota.max, `ledger ${ledger} outside [${quota.min}, ${quota.max}]`],
    [quota.attempts === attempts.length, `${quota.attempts} attempts accounted, ${attempts.length} recorded`],
    [dangling <= done * concurrency, `${dangling} dangling intents after ${done} kills`],
  ]
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]))
}
