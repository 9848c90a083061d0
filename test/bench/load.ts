// `npm run bench -- load`: time of a run of 400 questions, start-up included, beside the time of their answers.
import { inFolder, measure, median, writeQuestions } from './measured.ts'
import { startBenchServer } from './server.ts'

const [QUESTIONS, ANSWER_MS, IN_FLIGHT, ROUNDS] = [400, 50, 8, 5]

await inFolder(async (folder) => {
  const server = await startBenchServer({ afterMs: ANSWER_MS })
  const words = ['run', writeQuestions(folder, QUESTIONS), '--base-url', server.url, '--rate', 'unlimited']
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const out = ['--concurrency', String(IN_FLIGHT), '--out', `run-${round}`]
    rounds.push((await measure(folder, [...words, ...out])).seconds)
  }
  const ideal = (QUESTIONS * ANSWER_MS) / IN_FLIGHT / 1000
  console.log(
    `${QUESTIONS} questions of ${ANSWER_MS} ms, ${IN_FLIGHT} in flight, start included: median ${median(rounds).toFixed(2)} s, ` +
      `least ${Math.min(...rounds).toFixed(2)} s; ideal ${ideal.toFixed(2)} s; goal 3.4 s`,
  )
})
