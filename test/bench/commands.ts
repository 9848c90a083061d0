// `npm run bench -- run|memory|compare [turns..]`: time and peak memory of commands of the built program.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { printGoal } from './goals.ts'
import { inFolder, measure, measureRow, median, row, writeQuestions } from './measured.ts'
import { startBenchServer } from './server.ts'
import { makeQuestion, makeReply, makeTurn, recordRun } from '../support/recorded.ts'

const [what, ...typed] = process.argv.slice(2)

const BENCHES: Readonly<Record<string, (folder: string, turns: number) => Promise<void>>> = {
  run: async (folder, turns) => {
    const server = await startBenchServer({ afterMs: 50 })
    const words = ['run', writeQuestions(folder, turns), '--base-url', server.url, '--rate', 'unlimited']
    const rounds: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const out = ['--concurrency', '8', '--out', join(folder, `run-${round}`)]
      rounds.push((await measure(folder, [...words, ...out])).seconds)
    }
    row(`${turns} questions of 50 ms, 8 in flight, median`, median(rounds).toFixed(2))
    if (turns === 400) printGoal('runSeconds', median(rounds))
  },
  memory: async (folder, turns) => {
    const server = await startBenchServer({ answerBytes: 1000 })
    writeSet(join(folder, 'set.csv'), turns)
    const run = ['run', 'set.csv', '--base-url', server.url, '--rate', 'unlimited', '--out']
    const steps: readonly (readonly [string, readonly string[], number])[] = [
      ['validate', ['validate', 'set.csv'], 0],
      ['run', [...run, 'out'], 0],
      ['report', ['report', 'out'], 0],
      ['run, nine tenths', [...run, 'cut', '--max-calls', String(Math.floor(0.9 * turns))], 4],
      ['run --resume, the rest', ['run', '--resume', 'cut', '--max-calls', String(turns)], 0],
    ]
    const peaks: number[] = []
    for (const [name, words, code] of steps)
      peaks.push((await measureRow(`${turns} turns: ${name}`, folder, words, [code])).peakMb)
    if (turns === 100_000) printGoal('memory', Math.max(...peaks))
  },
  compare: async (folder, turns) => {
    for (const name of ['before', 'after']) {
      const turnsOf = { [Symbol.iterator]: () => drawTurns(turns, name === 'after') }
      recordRun(join(folder, name), {
        turns: turnsOf,
        manifest: { startedAt: `2026-11-2${name === 'after' ? 2 : 1}T12:00:00.000Z` },
      })
      // With results.csv, as runs leave their folders: it is read for reviews.
      await measureRow(`${turns} turns: report`, folder, ['report', name], [0, 1])
    }
    const compare = 'compare before after --out out'.split(' ')
    const { seconds, peakMb } = await measureRow(`2 × ${turns} turns: compare`, folder, compare, [0, 1])
    if (turns === 10_000) {
      printGoal('compareSeconds', seconds)
      printGoal('compareMemory', peakMb)
    } else if (turns === 100_000) {
      printGoal('compareLargeSeconds', seconds)
      printGoal('compareLargeMemory', peakMb)
    }
  },
}

/** Distinct messages of 60 to 100 characters; of every eight rows the last four are a conversation; ten tags. */
function writeSet(path: string, turns: number): void {
  const rows = Array.from({ length: turns }, (_, index) => {
    const thread = index % 8 < 4 ? '' : `conversation ${Math.floor(index / 8)}`
    const end = ' since it does not work at the office any more'.slice(0, index % 40)
    return `${thread},How do I set up device number ${index} for a colleague of mine${end}?,tag ${index % 10}\n`
  })
  writeFileSync(path, `thread,message,tags\n${rows.join('')}`)
}

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

/** Threads of three turns, answers of 600 characters. The candidate rewords most, and changes one in fifty. */
function* drawTurns(turns: number, isCandidate: boolean): Generator<AnsweredTurn> {
  const [random, wording] = [seededRandom(1), seededRandom(2)]
  for (let number = 0; number < turns; number += 1) {
    const cells = { tags: [`tag${number % 12}`], expect: { contains: ['portal'] } }
    const question = makeQuestion(`q${number}`, `t${Math.floor(number / 3)}`, (number % 3) + 1, cells)
    const picked = Array.from({ length: 12 }, () => SENTENCES[Math.floor(random() * SENTENCES.length)] ?? '')
    const [isGrounded, serviceMs] = [random() < 0.8, 300 + random() * 2000]
    const flips = isCandidate && wording() < 0.02
    const text = isCandidate && wording() < 0.8 ? `Sure. ${picked.toReversed().join(' ')}` : picked.join(' ')
    const answer = isCandidate && wording() < 0.02 ? text.replace('30 June', '31 July') : text
    const result = makeReply(isGrounded === flips ? 'LLM' : 'KNOWLEDGE_BASE', answer)
    yield makeTurn({ question, result, serviceMs })
  }
}

const bench = BENCHES[what ?? '']
if (bench === undefined) throw new Error(`no bench ${what}`)
const usual = what === 'run' ? [400] : [10_000, 100_000]
row(`Node ${process.version}`, 'seconds', 'peak MB')
for (const turns of typed.length > 0 ? typed.map(Number) : usual)
  await inFolder(async (folder) => {
    await bench(folder, turns)
    rmSync(folder, { recursive: true })
  })
