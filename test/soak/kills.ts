// Kills a run with SIGKILL again and again, resumes it each time, and holds the end against journal and ledger.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Summary } from '../../src/domain/summary.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { readJournals, sizeOfJournals } from '../support/journals.ts'
import { readResults, readSummary, startProgram } from '../support/program.ts'
import { startSandboxProgram } from '../support/sandbox-program.ts'
import { auditJournal, type JournalAudit } from './audit.ts'

export interface KillPlan {
  readonly folder: string
  readonly turns: number
  readonly kills: number
  readonly seed: number
  readonly concurrency: number
}

export interface KillReport {
  readonly kills: number
  readonly sittings: number
  readonly summary: Summary
  /** Outcomes in results.csv, by value. */
  readonly outcomes: Record<string, number>
  readonly rows: number
  /** Calls that the sandbox's ledger counts. */
  readonly ledger: number
  readonly audit: JournalAudit
}

/** No kill waits for a larger share of the turns. */
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
  const rows = ['thread,message']
  for (let thread = 1; rows.length <= turns; thread += 1)
    for (let left = 1 + Math.floor(random() * 6); left > 0 && rows.length <= turns; left -= 1)
      rows.push(`t${thread},Question ${rows.length} about VPN access?`)
  writeFileSync(path, `${rows.join('\n')}\n`)
}

export async function killAgainAndAgain(plan: KillPlan): Promise<KillReport> {
  const { folder, turns, kills, seed, concurrency } = plan
  mkdirSync(folder, { recursive: true })
  const random = seededRandom(seed)
  writeSet(join(folder, 'set.csv'), turns, random)
  writeFileSync(join(folder, 'sandbox.yaml'), SANDBOX)
  const sandbox = await startSandboxProgram(['--config', 'sandbox.yaml'], folder)
  try {
    const out = join(folder, 'run')
    const first = ['run', 'set.csv', '--base-url', sandbox.url, '--out', 'run']
    const more = ['--concurrency', String(concurrency), '--rate', 'unlimited']
    let done = 0
    let code: number | null | 'killed' = 'killed'
    for (let sitting = 1; code !== 0 && code !== 1 && sitting < kills * 3 + 10; sitting += 1) {
      const words = existsSync(join(out, 'run.json')) ? ['run', '--resume', 'run'] : [...first, ...more]
      // Each sitting gets about its share of the work done, and so the kills are spread over the run; not over the
      // whole of it, since a slow machine sees late how far the run is, and it must not have ended by then.
      const target = LATEST * turns * ((done + random()) / kills)
      code = await runAndKill(folder, words, done < kills ? target : Infinity, random)
      if (code === 'killed') done += 1
    }
    const results = readResults(out)
    const outcomes: Record<string, number> = {}
    for (const { outcome = '' } of results) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    const summary = readSummary(out)
    const audit = auditJournal(readJournals(out))
    return {
      kills: done,
      sittings: audit.sittings,
      summary,
      outcomes,
      rows: results.length,
      ledger: await readLedger(sandbox.url),
      audit,
    }
  } finally {
    await sandbox.stop()
  }
}

/** Runs until so many turns have outcomes, then a moment more, then SIGKILL: anywhere in whatever it does. */
async function runAndKill(
  cwd: string,
  words: readonly string[],
  target: number,
  random: () => number,
): Promise<number | null | 'killed'> {
  const running = startProgram(words, { cwd, env: { TMPDIR: cwd, ASSIST_API_KEY: KEY } })
  const life = { ended: false }
  const end = running.ended.then(({ code }) => {
    life.ended = true
    return code
  })
  const out = join(cwd, 'run')
  const outcomes = createOutcomeCounter(out)
  const deadline = Date.now() + 120_000
  const before = sizeOfJournals(out)
  // One kill in ten falls into the start, before anything is written.
  const hasBegun = random() < 0.1 ? () => true : () => sizeOfJournals(out) > before
  while (!life.ended && (outcomes() < target || !hasBegun()) && Date.now() < deadline) await sleep(2)
  if (!life.ended && target < Infinity) {
    await sleep(random() * 80)
    running.signal('SIGKILL')
    const code = await end
    return code === null ? 'killed' : code
  }
  if (!life.ended) running.signal('SIGKILL')
  const code = await end
  if (code !== 0 && code !== 1 && code !== 4)
    throw new Error(`the run ended with ${code}:\n${running.said()}`)
  return code
}

/** Counts outcome records as the journals grow, without reading them anew each time. */
function createOutcomeCounter(out: string): () => number {
  let [size, count] = [-1, 0]
  return () => {
    const now = sizeOfJournals(out)
    if (now !== size) count = readJournals(out).split('"kind":"outcome"').length - 1
    size = now
    return count
  }
}

/** Calls that count, as the sandbox itself knows. */
async function readLedger(url: string): Promise<number> {
  const answer = await fetch(`${url}/sandbox/usage`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } })
  return ((await answer.json()) as { total: { counted: number } }).total.counted
}

/** What must hold at the end of every such run; one line for each thing that does not. */
export function faultsOf(
  { summary, outcomes, rows, ledger, audit, kills }: KillReport,
  plan: Pick<KillPlan, 'turns' | 'kills' | 'concurrency'>,
): string[] {
  const { quota, turns } = summary
  const inFlight = kills * plan.concurrency
  const checks: [boolean, string][] = [
    // A machine that is very slow may miss some: then the run has ended before it was to be killed.
    [kills * 2 >= plan.kills, `only ${kills} of ${plan.kills} kills`],
    [rows === plan.turns, `${rows} rows for ${plan.turns} turns`],
    [outcomes[''] === undefined && turns.notAsked === 0, 'turns without an outcome'],
    [audit.withoutOutcome === 0, `${audit.withoutOutcome} turns without an outcome in the journal`],
    [audit.askedAgain.length === 0, `asked again though answered: ${audit.askedAgain[0] ?? ''}`],
    [audit.numbersTwice === 0, `${audit.numbersTwice} attempt numbers given twice`],
    [
      ledger >= quota.min && ledger <= quota.max,
      `the ledger, ${ledger}, lies outside [${quota.min}, ${quota.max}]`,
    ],
    [
      quota.attempts === audit.attempts,
      `the account holds ${quota.attempts} attempts, the journal ${audit.attempts}`,
    ],
    [
      audit.dangling <= inFlight,
      `${audit.dangling} dangling intents for ${inFlight} calls in flight at kills`,
    ],
    [audit.repeated <= audit.explained, `${audit.repeated} calls repeated, ${audit.explained} explained`],
  ]
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]))
}
