// A usual run, start included: 400 questions, answers of 50 ms, 8 in flight, beside the time that the answers alone take.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { main } from '../../support/program.ts'
import { temporaryBench } from './contenders.ts'

const [QUESTIONS, ANSWER_MS, IN_FLIGHT, ROUNDS, GOAL_S] = [400, 50, 8, 5, 3.2]

/** In a thread of its own, as this one waits for the program. */
const SERVER = `
const { createServer } = require('node:http')
const { parentPort, workerData } = require('node:worker_threads')
const reply = JSON.stringify({ conversationId: 'c', message: 'm', status: 'success', contextSource: 'KNOWLEDGE_BASE' })
const server = createServer((request, response) => {
  request.resume().on('end', () => setTimeout(() => response.setHeader('content-type', 'application/json').end(reply), workerData))
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

export async function measureQuestions(): Promise<void> {
  const folder = temporaryBench()
  const set = join(folder, 'set.csv')
  writeFileSync(set, `message\n${Array.from({ length: QUESTIONS }, (_, i) => `Question ${i}?`).join('\n')}\n`)
  const server = new Worker(SERVER, { eval: true, workerData: ANSWER_MS })
  const [port] = (await once(server, 'message')) as [number]
  const env = { ...process.env, ASSIST_API_KEY: 'bench-key-0123456789' }
  try {
    const seconds = Array.from({ length: ROUNDS }, (_, round) => {
      const started = performance.now()
      const words = ['--base-url', `http://127.0.0.1:${port}`, '--out', join(folder, String(round))]
      const pace = ['--rate', 'unlimited', '--concurrency', String(IN_FLIGHT)]
      const { status } = spawnSync(process.execPath, [main, 'run', set, ...words, ...pace], {
        env,
        stdio: 'ignore',
      })
      if (status !== 0) throw new Error(`the run ended with ${status}`)
      return (performance.now() - started) / 1000
    }).sort((a, b) => a - b)
    const median = seconds[Math.floor(ROUNDS / 2)] ?? NaN
    const ideal = (QUESTIONS * ANSWER_MS) / IN_FLIGHT / 1000
    console.log(
      `\n${QUESTIONS} questions of ${ANSWER_MS} ms, ${IN_FLIGHT} in flight, start included: median ${median.toFixed(2)} s, ` +
        `least ${seconds[0]?.toFixed(2)} s; ideal ${ideal.toFixed(2)} s, ratio ${(median / ideal).toFixed(2)}; goal ${GOAL_S} s`,
    )
  } finally {
    await server.terminate()
    rmSync(folder, { recursive: true, force: true })
  }
}
