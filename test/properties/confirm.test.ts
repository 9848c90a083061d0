// Protects `--confirm` from end to end: which conversations are sent again, how often, and which answers
// count, whatever the endpoint answers and wherever a run is killed.
import { expect, test } from 'vitest'
import { temporaryPaths } from '../support/temporary.ts'
import {
  answer,
  attemptsOf,
  copyKilledRun,
  journalLines,
  readRun,
  resentWithoutCause,
  resumeRun,
  startRun,
  type Endpoint,
} from './harness.ts'
import { chance, choose, csvOf, threadsOf, worlds } from './worlds.ts'

const newRun = temporaryPaths()
const CONFIRM = 2

/** Conversations of one to three turns; half of the questions must pass. */
function makeWorld(seed: number) {
  const threads = threadsOf(seed, 4 + choose(6, seed, 1), 3)
  const mustPass = new Set(threads.flat().filter((_, at) => chance(seed, 3, at) < 0.5))
  const cellsOf = (_: number, id: string) => ({
    expect_contains: 'right',
    must_pass: mustPass.has(id) ? 'yes' : '',
  })
  return { csv: csvOf(threads.flat(), cellsOf), threads, mustPass }
}

/** Four answers in ten are wrong, by chance. */
const flakyEndpoint =
  (seed: number, session: number): Endpoint =>
  ({ number, message, conversationId }) => {
    const isWrong = chance(seed, session, number) < 0.4
    const source = chance(seed, session, number, 1) < 0.3 ? 'MODEL' : 'KNOWLEDGE_BASE'
    return answer(
      `${isWrong ? 'wrong' : 'right'} for ${message}`,
      conversationId ?? `c${session}.${number}`,
      source,
    )
  }

/** What the rules say of a run that is over, from its attempts alone. */
function expectedOf(path: string, { threads, mustPass }: ReturnType<typeof makeWorld>) {
  const answersOf = new Map<string, Map<number, string>>()
  for (const { message, repeat, answer: text } of attemptsOf(path)) {
    if (text === undefined) continue
    const id = message.replace('message of ', '')
    const byRepeat = answersOf.get(id) ?? new Map<number, string>()
    // A conversation that was sent again from the start has the later answer.
    answersOf.set(id, byRepeat.set(repeat, text))
  }
  const isWrong = (id: string, repeat: number): boolean =>
    answersOf.get(id)?.get(repeat)?.startsWith('wrong') === true
  const again = threads.filter((ids) => ids.some((id) => mustPass.has(id) && isWrong(id, 1)))
  const triesOf = (id: string): number[] =>
    mustPass.has(id) && isWrong(id, 1) ? [...(answersOf.get(id)?.keys() ?? [])] : [1]
  const fails = (id: string): boolean => {
    const tries = triesOf(id)
    return tries.filter((repeat) => isWrong(id, repeat)).length > tries.length / 2
  }
  return {
    again: new Set(again.flat()),
    repeatsOf: (id: string) => [...(answersOf.get(id)?.keys() ?? [])].toSorted((a, b) => a - b),
    broken: threads.flat().filter((id) => mustPass.has(id) && fails(id)),
    failed: threads.flat().filter(fails).length,
    countedOf: (id: string) => triesOf(id).map((repeat) => answersOf.get(id)?.get(repeat)),
  }
}

async function checkRun(path: string, world: ReturnType<typeof makeWorld>): Promise<void> {
  const expected = expectedOf(path, world)
  expect(resentWithoutCause(attemptsOf(path))).toEqual([])
  for (const id of world.threads.flat())
    expect([id, expected.repeatsOf(id)]).toEqual([id, expected.again.has(id) ? [1, 2, 3] : [1]])
  const { rows, verdict, account } = await readRun(path)
  expect(verdict.mustPass.map(({ id }) => id)).toEqual(expected.broken)
  expect(verdict.expectations.failed).toBe(expected.failed)
  expect(verdict.exitCode).toBe(expected.failed > 0 ? 1 : 0)
  expect(rows.map(({ id }) => id)).toEqual(world.threads.flat())
  for (const { id = '', answer: shown } of rows) expect(expected.countedOf(id)).toContain(shown)
  const calls = rows.reduce((sum, { attempts }) => sum + Number(attempts), 0)
  expect([calls, account.attempts]).toEqual([attemptsOf(path).length, attemptsOf(path).length])
}

test('each conversation with a failed must_pass question is sent again, and the majority counts; killed anywhere, too', async () => {
  let [confirmed, cutInConfirmation] = [0, 0]
  for (let seed = 1; seed <= worlds(60); seed += 1) {
    const [path, killed, world] = [newRun(), newRun(), makeWorld(seed)]
    const options = { confirm: CONFIRM, concurrency: 1 + choose(3, seed, 6) }
    const { stop } = await startRun(path, world.csv, flakyEndpoint(seed, 1), options)
    expect(stop).toBe('done')
    await checkRun(path, world)
    confirmed += expectedOf(path, world).again.size
    const lines = journalLines(path)
    const part = lines.slice(0, Math.ceil(lines.length * (0.3 + 0.7 * chance(seed, 10)))).join('')
    copyKilledRun(path, killed, part)
    if (part.includes('"kind":"confirm"')) cutInConfirmation += 1
    const resumed = await resumeRun(killed, flakyEndpoint(seed, 2), { concurrency: 2 })
    expect(resumed.stop).toBe('done')
    await checkRun(killed, world)
  }
  expect(confirmed).toBeGreaterThan(worlds(150))
  expect(cutInConfirmation).toBeGreaterThan(worlds(10))
})
