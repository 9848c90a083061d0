// Two runs to compare, as large as wanted: the candidate words most answers anew, and one in fifty says something else.
import { seededRandom } from '../../../src/stats/random.ts'
import { makeQuestion } from '../../support/questions.ts'
import type { RecordedTurn } from '../../support/recorded-run.ts'

export const TURNS_A_THREAD = 3

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

export interface BenchRuns {
  readonly turns: number
  /** Of an answer: twelve make some 600 characters. */
  readonly sentences: number
}

/** Drawn anew each time that they are gone through, the same each time. */
export const turnsOf = (size: BenchRuns, which: 'baseline' | 'candidate'): Iterable<RecordedTurn> => ({
  [Symbol.iterator]: () => drawTurns(size, which === 'candidate'),
})

function* drawTurns({ turns, sentences }: BenchRuns, isCandidate: boolean): Generator<RecordedTurn> {
  const random = seededRandom(1)
  const wording = seededRandom(2)
  for (let number = 0; number < turns; number += 1) {
    const thread = `t${Math.floor(number / TURNS_A_THREAD)}`
    const turn = (number % TURNS_A_THREAD) + 1
    const tags = [`tag${number % 12}`]
    const question = makeQuestion(`q${number}`, thread, turn, { tags, expect: { contains: ['portal'] } })
    const picked = Array.from(
      { length: sentences },
      () => SENTENCES[Math.floor(random() * SENTENCES.length)] ?? '',
    )
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
