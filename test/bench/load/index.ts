// `npm run bench -- load [throughput|questions]`: rate and CPU of `run` and `load` beside autocannon; time of
// 400 questions beside the time of their answers.
import { measureThroughput } from './throughput.ts'
import { inFolder, measure, median, writeQuestions } from '../measured.ts'
import { startBenchServer } from '../server.ts'

const [QUESTIONS, ANSWER_MS, IN_FLIGHT, ROUNDS] = [400, 50, 8, 5]

/** A usual run, start-up included. */
async function measureQuestions(folder: string): Promise<void> {
  const server = await startBenchServer({ afterMs: ANSWER_MS })
  const words = ['run', writeQuestions(folder, QUESTIONS), '--base-url', server.url, '--rate', 'unlimited']
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const out = ['--concurrency', String(IN_FLIGHT), '--out', `run-${round}`]
    rounds.push((await measure(folder, [...words, ...out])).seconds)
  }
  const ideal = (QUESTIONS * ANSWER_MS) / IN_FLIGHT / 1000
  console.log(
    `\n${QUESTIONS} questions of ${ANSWER_MS} ms, ${IN_FLIGHT} in flight, start included: median ${median(rounds).toFixed(2)} s, ` +
      `least ${Math.min(...rounds).toFixed(2)} s; ideal ${ideal.toFixed(2)} s; goal 3.4 s`,
  )
}

const PARTS = { throughput: measureThroughput, questions: measureQuestions }
const [only] = process.argv.slice(2)
for (const [name, part] of Object.entries(PARTS))
  if (only === undefined || only === name) await inFolder(part)
