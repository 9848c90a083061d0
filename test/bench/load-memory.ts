// Ten million virtual calls through the gatherer of a load test: memory must stay flat, figures exact. `npm run bench:load:memory`.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLoadGatherer } from '../../src/analysis/load/gather.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { renderLoadScreen } from '../../src/report/load-screen.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { LOAD_START, loadManifest, makeLoad } from '../support/load-journal.ts'
import { makeQuestion } from '../support/questions.ts'

const CALLS = Number(process.argv[2] ?? 10_000_000)
const RATE = 2000
const QUESTIONS = 500
/** Calls under way at a time. */
const IN_FLIGHT = 400

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const durationMs = (CALLS / RATE) * 1000
const load = makeLoad({
  model: {
    kind: 'open',
    arrivals: 'constant',
    stages: [{ durationMs, from: RATE, to: RATE }],
  },
})
const gatherer = createLoadGatherer(loadManifest(load))
for (let index = 0; index < QUESTIONS; index += 1)
  gatherer.add({ kind: 'question', index, question: makeQuestion(`q${index}`, `t${index}`, 1) })

const random = seededRandom(1)
const began = process.hrtime.bigint()
let ownMs = 0
const add = (record: JournalRecord): void => gatherer.add(record)
const dueAt = (call: number): number => LOAD_START + (call * 1000) / RATE

function end(call: number): void {
  // Exponential of mean 150 ms: the 99th percentile is 150·ln 100 = 690.8 ms.
  const serviceMs = -150 * Math.log(1 - random())
  const at = dueAt(call) + serviceMs
  const place = { question: call % QUESTIONS, repeat: Math.floor(call / QUESTIONS) + 1 }
  const reply = {
    conversationId: 'c',
    message: 'An answer.',
    status: 'success',
    contextSource: call % 5 === 0 ? 'MODEL' : 'KNOWLEDGE_BASE',
  }
  const result = { kind: 'reply', httpStatus: 200, reply } as const
  const attempt = call + 1
  add({ kind: 'result', at, attempt, waitMs: 0, serviceMs, responseMs: serviceMs + 0.3, lagMs: 0.3, result })
  add({ kind: 'outcome', at, ...place, conversation: 1, outcome: 'answered', attempt, contextLost: false })
}

const heaps: number[] = []
for (let call = 0; call < CALLS + IN_FLIGHT; call += 1) {
  if (call < CALLS)
    add({
      kind: 'intent',
      at: dueAt(call),
      attempt: call + 1,
      question: call % QUESTIONS,
      repeat: Math.floor(call / QUESTIONS) + 1,
      conversation: 1,
      conversationId: null,
      arrival: call,
      dueAt: dueAt(call),
    })
  if (call >= IN_FLIGHT) end(call - IN_FLIGHT)
  if (call % (CALLS / 10) === 0 && call > 0) {
    ownMs = Number(process.hrtime.bigint() - began) / 1e6
    collect()
    const { heapUsed, rss, arrayBuffers } = process.memoryUsage()
    heaps.push(heapUsed + arrayBuffers)
    console.log(
      `${(call / 1e6).toFixed(1)} million calls: heap ${megabytes(heapUsed)}, buffers ${megabytes(arrayBuffers)}, ` +
        `RSS ${megabytes(rss)}, ${((ownMs * 1000) / call).toFixed(2)} µs a call`,
    )
  }
}
add({ kind: 'end', at: dueAt(CALLS), stop: { kind: 'done' } })

const finishing = process.hrtime.bigint()
const report = await gatherer.finish()
const finishMs = Number(process.hrtime.bigint() - finishing) / 1e6
const json = JSON.stringify(report, null, 2)
console.log(`finished in ${finishMs.toFixed(0)} ms; load.json ${(json.length / 1000).toFixed(0)} kB\n`)
console.log(renderLoadScreen(report))

const truth = 150 * Math.log(100)
const miss = Math.abs((report.serviceMs.p99 ?? 0) / truth - 1)
const growth = (heaps.at(-1) ?? 0) - (heaps[0] ?? 0)
console.log(
  `\np99 ${report.serviceMs.p99} ms, true ${truth.toFixed(1)} ms: off by ${(miss * 100).toFixed(2)} %; ` +
    `heap and buffers grew by ${megabytes(growth)} from the first tenth to the last`,
)
if (report.turns.answered !== CALLS || report.coverage.grounded !== CALLS * 0.8)
  throw new Error('a call was lost')
if (miss > 0.005 || growth > 3e6) throw new Error('memory is not flat, or the figures are not exact')
