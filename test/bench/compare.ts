// `npm run bench:compare`: time and memory of `compare` over two recorded runs, beside reading the two journals alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '../../src/stats/random.ts'
import { projectRoot } from '../support/program.ts'
import { makeQuestion } from '../support/questions.ts'
import { recordRun, type RecordedTurn } from '../support/recorded-run.ts'

const TURNS = Number(process.env['BENCH_TURNS'] ?? 100_000)
const TURNS_A_THREAD = 3
const SENTENCES = [
  'Open the portal and choose the request that fits.',
  'Your manager approves it within 2 working days.',
  'The fee of €25.00 is charged to your cost centre.',
  'Claims must be in by 30 June 2027.',
  'Write to service-desk@example.com if nothing happens.',
  'See https://desk.example.com/articles/4711 for the steps.',
  'Do not share the code with anybody.',
  'It is not needed for contractors.',
  'The VPN client restarts by itself.',
  'Keep the laptop plugged in while it updates.',
]

const folder = mkdtempSync(join(tmpdir(), 'assist-harness-bench-'))

/** Answers of some 600 characters; the candidate words most of them anew, and one in fifty says something else. */
function* turnsOf(seed: number, isCandidate: boolean): Generator<RecordedTurn> {
  const random = seededRandom(seed)
  const wording = seededRandom(seed + 1)
  for (let number = 0; number < TURNS; number += 1) {
    const thread = `t${Math.floor(number / TURNS_A_THREAD)}`
    const turn = (number % TURNS_A_THREAD) + 1
    const tags = [`tag${number % 12}`]
    const question = makeQuestion(`q${number}`, thread, turn, { tags, expect: { contains: ['portal'] } })
    const picked = Array.from({ length: 12 }, () => SENTENCES[Math.floor(random() * SENTENCES.length)])
    const isGrounded = random() < 0.8
    const serviceMs = 300 + random() * 2000
    if (!isCandidate) {
      yield { question, came: { answer: picked.join(' '), source: sourceOf(isGrounded) }, serviceMs }
      continue
    }
    const flips = wording() < 0.02
    const answer = wording() < 0.8 ? `Sure. ${picked.toReversed().join(' ')}` : picked.join(' ')
    const changed = wording() < 0.02 ? answer.replace('30 June', '31 July') : answer
    const came = { answer: changed, source: sourceOf(flips ? !isGrounded : isGrounded) }
    yield { question, came, serviceMs: serviceMs + wording() * 100 }
  }
}

const sourceOf = (isGrounded: boolean): string => (isGrounded ? 'KNOWLEDGE_BASE' : 'LLM')

interface Measured {
  readonly seconds: number
  readonly peakMb: number
}

async function measure(words: readonly string[]): Promise<Measured> {
  const started = performance.now()
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  let peakKb = 0
  const watch = setInterval(() => {
    peakKb = Math.max(peakKb, peakOf(child.pid ?? 0))
  }, 50)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(watch)
  if (code !== 0 && code !== 1) throw new Error(`exit code ${code}`)
  return { seconds: (performance.now() - started) / 1000, peakMb: Math.round(peakKb / 1024) }
}

/** The high-water mark of a process's memory, as Linux keeps it; 0 where it is not told. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

try {
  const [before, after] = [join(folder, 'before'), join(folder, 'after')]
  recordRun(before, { turns: turnsOf(1, false) })
  recordRun(after, { turns: turnsOf(1, true), manifest: { startedAt: '2026-11-22T12:00:00.000Z' } })
  const megabytes = Math.round(
    (statSync(join(before, 'journal.ndjson')).size + statSync(join(after, 'journal.ndjson')).size) / 1e6,
  )
  const program = join(projectRoot, 'dist/cli/main.js')
  const report = await measure([program, 'report', before])
  const compare = await measure([program, 'compare', before, after, '--out', join(folder, 'comparison')])
  console.log(`${TURNS} turns a side in threads of ${TURNS_A_THREAD}, journals of ${megabytes} MB together`)
  console.log(`compare: ${compare.seconds.toFixed(1)} s, ${compare.peakMb} MB at its peak`)
  console.log(`report of one side: ${report.seconds.toFixed(1)} s, ${report.peakMb} MB`)
  console.log(
    `ratio: ${(compare.seconds / report.seconds).toFixed(2)} (two sides are read, and each answer compared)`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
