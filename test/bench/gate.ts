// `npm run bench -- gate`: how often a night's run fails against its baseline, on an endpoint whose answers are now and
// then wrong by chance, with and without `--confirm`; the table of docs/guides/compare.md. The whole product runs, on a
// virtual clock. test/prove measures the gate itself.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ports, realPorts, run } from '../../src/library/index.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { makeReply } from '../support/recorded.ts'
import { VirtualClock, virtualEndpoint } from '../support/virtual-clock.ts'
import { inFolder, row } from './measured.ts'

interface Nights {
  /** Probability that an answer is wrong, and not grounded, although its question is in order. */
  readonly flake: number
  /** Questions that are wrong since the baseline, except by the same chance. */
  readonly broken: number
  readonly confirm: number
  readonly nights: number
}

const QUESTIONS = 150
/** Of ten questions: this many have an expectation, and this many are answered from no article. */
const [EXPECTING, GAPS] = [6, 2]

const rows = Array.from({ length: QUESTIONS }, (_, index) =>
  [`q${index}`, `Question number ${index}`, index % 10 < EXPECTING ? 'right' : ''].join(','),
)

/** The share of nights that ended with 1, and the calls beyond those of the set, a night. */
async function countNights({ flake, broken, confirm, nights }: Nights, folder: string) {
  const set = join(folder, 'set.csv')
  writeFileSync(set, ['id,message,expect_contains', ...rows, ''].join('\n'))
  const [before, tonight] = [join(folder, 'before'), join(folder, 'tonight')]
  let [failed, calls] = [0, 0]
  for (let night = 0; night < nights; night += 1) {
    for (const old of [before, tonight]) rmSync(old, { recursive: true, force: true })
    const random = seededRandom(40_000 + night)
    const send = async (options: { out: string; baseline?: string; confirm?: number }, isWrong: Wrong) => {
      const clock = new VirtualClock()
      const ports = { ...realPorts(), clock, random, connect: endpoint(clock, isWrong) }
      const desk = { baseUrl: 'http://127.0.0.1:9', organization: 'org', apiKey: 'key-of-the-nights' }
      return clock.runUntil(run({ datasets: [set], rate: 'unlimited', ...desk, ...options }, ports))
    }
    const byChance: Wrong = () => random() < flake
    await send({ out: before }, byChance)
    const result = await send({ out: tonight, baseline: before, confirm }, (question) =>
      question < broken ? !byChance(question) : byChance(question),
    )
    if (result.exitCode > 1) throw new Error(`the run ended with ${result.exitCode}`)
    failed += result.exitCode
    calls += result.summary.quota.attempts - QUESTIONS
  }
  return { failed: failed / nights, extraCalls: calls / nights }
}

type Wrong = (question: number) => boolean

/** Answers at once. Broken questions are the first of the set, which have expectations and articles. */
const endpoint = (clock: VirtualClock, isWrong: Wrong): Ports['connect'] =>
  virtualEndpoint(clock, ({ message, conversationId = message }) => {
    const question = Number(/\d+/.exec(message)?.[0])
    const wrong = isWrong(question)
    const source = !wrong && question % 10 < 10 - GAPS ? 'KNOWLEDGE_BASE' : 'MODEL'
    const answer = wrong ? 'I cannot say' : `This is right for ${question}`
    return { ms: 1, result: makeReply(source, answer, conversationId) }
  })

const [NIGHTS, BROKEN] = [40, 2]
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`
row(`${QUESTIONS} questions, nights: ${NIGHTS}`, 'false', 'missed', 'calls more')
await inFolder(async (folder) => {
  for (const flake of [0, 0.02, 0.05, 0.1])
    for (const confirm of [0, 2, 4]) {
      const equal = await countNights({ flake, broken: 0, confirm, nights: NIGHTS }, folder)
      const worse = await countNights({ flake, broken: BROKEN, confirm, nights: NIGHTS }, folder)
      const name = `flake rate ${percent(flake)}, ${confirm === 0 ? 'no --confirm' : `--confirm ${confirm}`}`
      row(name, percent(equal.failed), percent(1 - worse.failed), percent(equal.extraCalls / QUESTIONS))
    }
})
