// `npm run bench:pacing:waiting`: what a waiting turn costs in the ready queue and the limiter, and a job in Bottleneck.
import { setFlagsFromString } from 'node:v8'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import Bottleneck from 'bottleneck'
import { realClock } from '../../../src/cli/clock.ts'
import { createLimiter } from '../../../src/pace/create.ts'
import { ReadyQueue } from '../../../src/runner/ready-queue.ts'
import { makeThreads } from '../../support/questions.ts'

const TURNS = 100_000
const JOBS = 20_000
/** Measured in the design study: bytes of a job that waits in Bottleneck. */
const STUDIED_BYTES = 1022

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes in use, when what is not needed is gone. */
async function heapUsed(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await turnOfLoop()
    collect()
  }
  return process.memoryUsage().heapUsed
}

async function bytesOfTurn(): Promise<number> {
  const threads = makeThreads(...Array.from({ length: TURNS }, () => 1))
  const before = await heapUsed()
  const ready = new ReadyQueue(threads)
  const limiter = createLimiter(
    { rate: { kind: 'known', perSecond: 1 / 3600 }, concurrency: 'auto' },
    realClock,
    Math.random,
  )
  // As the runner does: it asks for one leave at a time, and takes a turn from the queue when it has it.
  const first = await limiter.acquire(new AbortController().signal)
  const waiting = limiter.acquire(new AbortController().signal)
  const after = await heapUsed()
  first?.settle({ kind: 'nothing' })
  limiter.close()
  await waiting
  if (ready.size !== TURNS || threads.length !== TURNS) throw new Error('turns were lost')
  return (after - before) / TURNS
}

async function bytesOfJob(): Promise<number> {
  const before = await heapUsed()
  const bottleneck = new Bottleneck({ reservoir: 0, maxConcurrent: 1 })
  const jobs = Array.from({ length: JOBS }, async () => bottleneck.schedule(async () => Promise.resolve()))
  const settled = Promise.allSettled(jobs)
  while (bottleneck.counts().QUEUED < JOBS) await turnOfLoop()
  const after = await heapUsed()
  await bottleneck.stop({ dropWaitingJobs: true })
  await settled
  return (after - before) / JOBS
}

const turn = await bytesOfTurn()
const job = await bytesOfJob()
console.log(`${TURNS} ready turns: ${turn.toFixed(1)} bytes a turn in the ready queue and the limiter`)
console.log(
  `${JOBS} jobs waiting in Bottleneck: ${job.toFixed(0)} bytes a job (design study: ${STUDIED_BYTES})`,
)
console.log(
  `A turn costs ${((turn / job) * 100).toFixed(2)} % of a job measured here, ${((turn / STUDIED_BYTES) * 100).toFixed(2)} % of the study's`,
)
