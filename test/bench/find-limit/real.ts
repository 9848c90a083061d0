// The search over HTTP and real time, against the real sandbox.
import { request } from 'undici'
import { inferLimit } from '../../../src/analysis/limit/infer.ts'
import { createLimitFinder } from '../../../src/runner/find-limit/finder.ts'
import { sandboxConfigSchema } from '../../../src/sandbox/config.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { errorsOf } from './measure.ts'
import { fixedWindow, gcra, slidingWindow, tokenBucket, type Scenario } from './scenarios.ts'

const shapes: readonly Scenario[] = [
  fixedWindow(20, 2, 400),
  fixedWindow(47, 13, 500),
  slidingWindow(40, 10, 500),
  slidingWindow(8, 1, 400),
  tokenBucket(5, 10, 400),
  tokenBucket(3, 60, 400),
  gcra(8, 4, 400),
  gcra(2, 1, 400),
]

export async function printReal(): Promise<void> {
  console.log('\nOver HTTP, real time, answers in 500 ms (lognormal, p95 1.5 s)\n')
  console.log(
    'limiter                             in goal  kind   rate err  window err  burst err   calls/budget  why  seconds',
  )
  await Promise.all([walk(0), walk(1)])
}

async function walk(part: number): Promise<void> {
  for (const shape of shapes.filter((_, place) => place % 2 === part)) console.log(await measure(shape))
}

async function measure(shape: Scenario): Promise<string> {
  const config = sandboxConfigSchema.parse({
    rateLimit: shape.config,
    latency: { kind: 'lognormal', median: '500ms', p95: '1500ms' },
  })
  const sandbox = await startSandbox({ config })
  const wallAtZero = Date.now() - performance.now()
  const finder = createLimitFinder({
    budget: shape.budget,
    maxMs: 300_000,
    maxInFlight: 32,
    maxPerSecond: 40,
    watchMs: 30_000,
    judge: (calls) => inferLimit(calls, wallAtZero, { mayChange: false }),
  })
  const began = performance.now()
  let sent = 0
  let wake: () => void = () => undefined
  const send = async (): Promise<void> => {
    sent += 1
    const call = finder.onSend(performance.now())
    const { statusCode, body } = await request(`${sandbox.url}/api/v1/assist`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'How do I reset my password?' }),
    })
    await body.text()
    finder.onResult(call, performance.now(), statusCode === 429)
    wake()
  }
  const sending: Promise<void>[] = []
  for (;;) {
    const step = finder.next(performance.now())
    if (step.kind === 'done') {
      await Promise.all(sending)
      await sandbox.close()
      return row(shape, finder.finding(performance.now()), sent, step.why, (performance.now() - began) / 1000)
    }
    if (step.kind === 'send') sending.push(send())
    else {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(1, Math.min(step.until - performance.now(), 60_000)))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
}

function row(
  shape: Scenario,
  finding: Parameters<typeof errorsOf>[0],
  sent: number,
  why: string,
  seconds: number,
): string {
  const errors = errorsOf(finding, shape.truth)
  const figure = (value: number | undefined): string => value?.toFixed(1) ?? '–'
  return [
    shape.name.padEnd(36),
    (errors.isWithin ? 'yes' : 'NO').padStart(7),
    (errors.kindIsRight ? 'yes' : finding.kind).padStart(6),
    figure(errors.perSecond).padStart(11),
    figure(errors.windowMs).padStart(12),
    figure(errors.burst).padStart(11),
    `${sent}/${shape.budget}`.padStart(15),
    why.padStart(7),
    seconds.toFixed(0).padStart(7),
  ].join('')
}
