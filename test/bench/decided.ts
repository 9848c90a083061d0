// `npm run bench -- decided`: how many calls `--until-decided` saves, on the regression set and on sets of
// 400 questions, and how often its verdict is not the one of the whole run: never, in 10,000 runs.
import { fileURLToPath } from 'node:url'
import { decisionOf, endsOfGates, type Judging } from '../../src/analysis/gates/decided.ts'
import { readThresholds } from '../../src/analysis/gates/threshold.ts'
import { readQuestionSets } from '../../src/dataset/read.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { makeQuestion } from '../support/questions.ts'
import {
  exitCodeOf,
  makeUndecidedRun,
  type Mood,
  pickMood,
  play,
  soFarOf,
  type UndecidedRun,
} from '../support/undecided-runs.ts'
import { row } from './measured.ts'

const [RUNS, RUNS_OF_A_SET] = [10_000, 100]

interface Sent {
  /** Of all turns. */
  readonly saved: number
  readonly isWrong: boolean
  readonly hasFailed: boolean
}

/** Conversations with a `must_pass` question first, the others in random order. */
function sendUntilDecided(run: UndecidedRun, mood: Mood, random: () => number): Sent {
  const { threads, repeats, judging } = run
  const whole = threads.map((thread) =>
    Array.from({ length: repeats }, (_, at) => play(thread, at + 1, mood, random)),
  )
  const ranks = threads.map((thread) =>
    thread.some(({ question }) => question.mustPass) ? -random() : random(),
  )
  const order = threads
    .flatMap((thread, at) => Array.from({ length: repeats }, (_, repeat) => ({ thread, at, repeat })))
    .toSorted((a, b) => (ranks[a.at] ?? 0) - (ranks[b.at] ?? 0) || a.repeat - b.repeat)
  const place = new Map(order.map(({ at, repeat }, index) => [`${at} ${repeat}`, index]))
  const decide = (sent: number) => {
    const part = whole.map((conversations, at) =>
      conversations.map((one, repeat) => ((place.get(`${at} ${repeat}`) ?? 0) < sent ? one : undefined)),
    )
    return decisionOf(endsOfGates(soFarOf(run, part), judging))
  }
  // More answers never take a decision back, so the first one is found by halving.
  let [low, high] = [0, order.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (decide(middle) === undefined) low = middle + 1
    else high = middle
  }
  const code = exitCodeOf(run, whole)
  const turnsIn = (some: typeof order): number => some.reduce((sum, { thread }) => sum + thread.length, 0)
  const decision = decide(low)
  return {
    saved: 1 - turnsIn(order.slice(0, low)) / turnsIn(order),
    isWrong: decision !== undefined && (decision === 'passes' ? 0 : 1) !== code,
    hasFailed: code === 1,
  }
}

const judgingOf = (thresholds: readonly string[]): Judging => ({
  thresholds: readThresholds(thresholds),
  hasBaseline: false,
  confirms: false,
  groundedSources: ['KNOWLEDGE_BASE'],
  passPolicy: 'all',
  isWeighted: false,
})

async function regressionSet(): Promise<UndecidedRun['threads']> {
  const path = fileURLToPath(new URL('../../datasets/regression.csv', import.meta.url))
  const read = await readQuestionSets([path], {})
  if (read.kind === 'faulty') throw new Error('the regression set is faulty')
  let index = 0
  return read.set.threads.map(({ turns }) => turns.map((question) => ({ index: index++, question })))
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

/** `saved`: mean share of the calls, of runs that fail and of runs that pass. */
function report(what: string, sent: readonly Sent[]): void {
  const savedOf = (some: readonly Sent[]): string =>
    some.length === 0 ? '–' : percent(some.reduce((sum, { saved }) => sum + saved, 0) / some.length)
  const [failed, passed] = [sent.filter((one) => one.hasFailed), sent.filter((one) => !one.hasFailed)]
  const wrong = sent.filter(({ isWrong }) => isWrong).length
  row(
    what,
    `${failed.length} failed`,
    savedOf(failed),
    `${passed.length} passed`,
    savedOf(passed),
    `${wrong} wrong`,
  )
}

const FAILING = ['coverage>=80%']
const BOTH = [...FAILING, 'errors<=10%', 'status.success>=90%', 'passed>=70%']
const four = Array.from({ length: 400 }, (_, index) => [
  { index, question: makeQuestion(`q${index}`, `q${index}`, 1) },
])
// The regression set has expectations, the other has none, and a share of nothing fails.
const sets = [
  ['regression', await regressionSet(), FAILING, BOTH],
  ['400 questions', four, FAILING, BOTH.slice(0, 3)],
] as const
const random = seededRandom(1)
row('', 'runs', 'saved', 'runs', 'saved', 'verdicts')
for (const [name, threads, failing, both] of sets)
  for (const [gates, thresholds] of [
    ['coverage alone', failing],
    ['room for errors', both],
  ] as const)
    for (const grounded of [0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]) {
      const mood = {
        grounded,
        passed: gates === 'coverage alone' ? 1 : 0.95,
        success: 1,
        error: 0,
        contextLost: 0,
      }
      const run = { threads, repeats: 1, judging: judgingOf(thresholds) }
      const sent = Array.from({ length: RUNS_OF_A_SET }, () => sendUntilDecided(run, mood, random))
      report(`${name}, ${gates}, ${Math.round(100 * grounded)} %`, sent)
    }
const all = Array.from({ length: RUNS }, () =>
  sendUntilDecided(makeUndecidedRun(random), pickMood(random), random),
)
report('small runs of any gates: goal 0 wrong', all)
if (all.some(({ isWrong }) => isWrong)) process.exitCode = 1
