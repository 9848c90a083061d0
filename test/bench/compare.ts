// `npm run bench -- compare [turns..]`: time and memory of `compare` over two recorded runs, by size and
// length of answers.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../src/stats/random.ts'
import { makeQuestion } from '../support/questions.ts'
import { recordRun, type RecordedTurn } from '../support/recorded-run.ts'
import { inFolder, measureRow, row, sizes } from './measured.ts'

const SENTENCES = [
  'Open the portal and choose the request that fits.',
  'Your manager approves it within 2 working days.',
  'The fee of €25.00 is charged to your cost centre.',
  'Claims must be in by 30 June 2027.',
  'Write to service-desk@example.com if nothing happens.',
  'See https://desk.example.com/articles/4711 for the steps.',
  'It is not needed for contractors.',
  'The VPN client restarts by itself.',
]

row('turns a side, sentences, command', 'seconds', 'peak MB')
await inFolder(async (folder) => {
  const [before, after, out] = ['before', 'after', 'out'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  // Twelve sentences are some 600 characters.
  const cases = sizes([10_000, 100_000]).map((turns) => ({ turns, sentences: 12 }))
  if (process.argv.length === 2) cases.push({ turns: 10_000, sentences: 120 })
  for (const { turns, sentences } of cases) {
    const turnsOf = (isCandidate: boolean) => ({
      [Symbol.iterator]: () => drawTurns(turns, sentences, isCandidate),
    })
    recordRun(before, { turns: turnsOf(false) })
    recordRun(after, { turns: turnsOf(true), manifest: { startedAt: '2026-11-22T12:00:00.000Z' } })
    // With results.csv, as runs leave their folders: it is read for reviews.
    const steps = [
      ['report', before],
      ['report', after],
      ['compare', before, after, '--out', out],
    ]
    for (const words of steps) await measureRow(`${turns}, ${sentences}, ${words[0]}`, folder, words, [0, 1])
    for (const each of [before, after, out]) rmSync(each, { recursive: true })
  }
})
console.log('goal of 2 × 10,000: 5 s, 300 MB')

/**
 * Threads of three turns. The candidate rewords most answers, and changes one in fifty. Equal on every call.
 */
function* drawTurns(turns: number, sentences: number, isCandidate: boolean): Generator<RecordedTurn> {
  const [random, wording] = [seededRandom(1), seededRandom(2)]
  for (let number = 0; number < turns; number += 1) {
    const more = { tags: [`tag${number % 12}`], expect: { contains: ['portal'] } }
    const question = makeQuestion(`q${number}`, `t${Math.floor(number / 3)}`, (number % 3) + 1, more)
    const draw = (): string => SENTENCES[Math.floor(random() * SENTENCES.length)] ?? ''
    const picked = Array.from({ length: sentences }, draw)
    const [isGrounded, serviceMs] = [random() < 0.8, 300 + random() * 2000]
    const flips = isCandidate && wording() < 0.02
    const words = isCandidate && wording() < 0.8 ? `Sure. ${picked.toReversed().join(' ')}` : picked.join(' ')
    const answer = isCandidate && wording() < 0.02 ? words.replace('30 June', '31 July') : words
    yield { question, result: { answer, source: isGrounded === flips ? 'LLM' : 'KNOWLEDGE_BASE' }, serviceMs }
  }
}
