// Warms the generator before a load test: a cold one lies, and calls to the endpoint are billed.
import { Worker } from 'node:worker_threads'
import { createSecret } from '../../domain/secret.ts'
import type { LoadModel, LoadOptions } from '../../domain/load/load-options.ts'
import { ASSIST_PATH } from '../../endpoint/address.ts'
import { createClient } from '../../endpoint/client.ts'
import { openNowhere } from '../../journal/nowhere.ts'
import { createLimiter } from '../../pace/create.ts'
import { createArrivalRate } from '../../runner/load/arrival-rate.ts'
import type { Conversation } from '../../runner/load/arrivals.ts'
import type { PlannedTurn } from '../../runner/thread-state.ts'
import { runLoad } from '../../runner/load/run-load.ts'
import { createRandomStreams } from '../../stats/addressed-random.ts'
import { createAskingPorts } from '../asking-ports.ts'
import { createSelfWatch } from './self-watch.ts'
import { timerClock } from './timer-clock.ts'

/** Threads a second from which a cold start would show: below, there is time for it between two calls. */
const MATTERS_FROM = 20
const WARM_MS = 1000
const MOST_PER_SECOND = 1000

/** Whether a cold generator would show in the figures. Users in a loop ask as fast as answers come. */
export function needsWarmth(model: LoadModel): boolean {
  return model.kind === 'closed' || createArrivalRate(model.stages).peak >= MATTERS_FROM
}

/**
 * Asks a server of its own, on loopback in this process, for about a second: client, engine and journal lines become
 * compiled code, in the ways that they are used in then: two ways of doing one thing would slow both. No call leaves the
 * process, and nothing is written. Without a loopback it does nothing.
 */
export async function warmGenerator(signal: AbortSignal): Promise<void> {
  const server = new Worker(SERVER, { eval: true, workerData: JSON.stringify(REPLY) })
  const port = await new Promise<number | undefined>((resolve) => {
    server.on('error', () => resolve(undefined))
    server.on('message', resolve)
  })
  if (port === undefined) return
  const key = createSecret('warm-up-without-a-key', '00000000')
  const client = createClient({
    origin: `http://127.0.0.1:${port}`,
    assistPath: ASSIST_PATH,
    key,
    connections: 64,
    timeoutMs: 5000,
    userAgent: 'assist-harness',
    now: timerClock.now,
  })
  const watch = createSelfWatch()
  try {
    await runLoad(
      THREADS,
      {
        ...createAskingPorts(client, openNowhere(), () => undefined),
        limiter: createLimiter({ rate: { kind: 'unlimited' }, concurrency: 'auto' }, timerClock, Math.random),
        clock: timerClock,
        random: createRandomStreams(1),
        watchSelf: watch.sample,
        watch: () => undefined,
      },
      OFFER,
      { runId: 'warm-up', maxCalls: undefined, giveUpAfterMs: WARM_MS * 10, rotatingIds: false },
      { stop: signal, abandon: signal },
    )
  } finally {
    watch.end()
    await client.close()
    await server.terminate()
  }
}

/**
 * In a thread of its own: within the generator's, what serves and what asks would be compiled as one, and each call would cost a
 * twentieth more from then on. A text, as a file would be another one in the package than among the sources.
 */
const SERVER = `
const { createServer } = require('node:http')
const { parentPort, workerData } = require('node:worker_threads')
const server = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(workerData))
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

const REPLY = {
  conversationId: 'warm-up',
  message: 'x'.repeat(500),
  status: 'success',
  contextSource: 'KNOWLEDGE_BASE',
}

const question = (turn: number): PlannedTurn['question'] => ({
  id: `warm-up-${turn}`,
  thread: 'warm-up',
  turn,
  message: 'How do I reset my password?',
  tags: [],
  mustPass: false,
  cells: {},
  file: 0,
  line: turn,
})

const THREADS: readonly Conversation[] = [
  {
    order: 0,
    turns: [
      { index: 0, question: question(1) },
      { index: 1, question: question(2) },
    ],
  },
]

const OFFER: LoadOptions = {
  model: {
    kind: 'open',
    arrivals: 'poisson',
    stages: [{ durationMs: WARM_MS, from: MOST_PER_SECOND / 4, to: MOST_PER_SECOND }],
  },
  thinkTime: { kind: 'uniform', fromMs: 0, toMs: 5 },
  seed: 1,
  maxInFlight: 64,
  warmUpMs: 0,
  gracefulStopMs: 100,
  retry429: false,
  abortOn: [],
}
