// `load`: offer a chosen rate of threads, record, and say what the endpoint did.
import { visible } from '../../report/visible.ts'
import type { LoadOptions } from '../../domain/load/load-options.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { isLoopback } from '../../endpoint/address.ts'
import { createLimiter } from '../../pace/create.ts'
import { loadConfig, type Config } from '../config.ts'
import { hashEndUserRefs } from '../end-user-refs.ts'
import { readEnvironment, type Environment } from '../environment.ts'
import { lockFolder } from '../folder-lock.ts'
import { concludeLoad } from '../load/conclude-load.ts'
import { describeEstimate } from '../load/estimate.ts'
import { loadThresholds } from '../load/load-thresholds.ts'
import { mergeLoadSettings, readLoad } from '../load/read-load.ts'
import { sitLoad } from '../load/sit-load.ts'
import { timerClock } from '../load/timer-clock.ts'
import { needsWarmth, warmGenerator } from '../load/warm-generator.ts'
import type { RunSettings } from '../options/run-options.ts'
import { say } from '../output.ts'
import { planQuestions, planSittings } from '../plan.ts'
import { quotaFrom } from '../quota.ts'
import { loadQuestionSets, refuseTwice } from '../question-sets.ts'
import { defaultFolder, refuseTaken } from '../run-folder.ts'
import { selectThreads } from '../selection.ts'
import { watchSignals } from '../signals.ts'
import { resolveTargets, type Target } from '../targets.ts'
import { UsageError } from '../usage-error.ts'

/** Returns the exit code. Throws UsageError before anything is sent. */
export async function load(datasets: readonly string[], typed: RunSettings): Promise<number> {
  refuseTwice(datasets)
  const config = loadConfig(typed.config)
  const settings = mergeLoadSettings(typed, config.settings)
  if (typed.baseUrl !== undefined && settings.sandbox === true)
    throw new UsageError('--base-url and --sandbox contradict each other; give one')
  const environment = readEnvironment(settings.envFrom)
  const resolved = settings.sandbox === true ? undefined : resolveTarget(typed, config, environment)
  const own = resolved === undefined ? settings : mergeLoadSettings(typed, resolved.settings)
  const offer = readLoad(own)
  loadThresholds(offer.abortOn, '--abort-on')
  loadThresholds(own.threshold ?? [], '--threshold')
  if (resolved !== undefined) refuseWithoutEnd(resolved)
  const set = await loadQuestionSets(datasets, settings)
  const selected = selectThreads(set.threads, settings)
  const threads = settings.hashEndUserRefs === true ? hashEndUserRefs(selected, environment) : selected
  for (const warning of set.warnings) say(`Note: ${visible(warning)}`)
  const questions = planQuestions(threads)
  if (settings.out !== undefined) refuseTaken(settings.out)
  const estimate = describeEstimate(questions.openThreads(1), offer, own.maxCalls ?? null, quotaFrom(own))
  say(estimate.join('\n'))

  const { target, close } = resolved === undefined ? await reachSandbox(own) : reachable(resolved)
  const signals = watchSignals()
  const limiter = createLimiter(
    { rate: { kind: 'unlimited' }, concurrency: offer.maxInFlight },
    timerClock,
    Math.random,
  )
  const locks: (() => void)[] = []
  try {
    if (needsWarmth(offer.model)) await warmGenerator(signals.stop)
    const [sitting] = planSittings({
      targets: [target],
      datasets,
      set,
      questions,
      limiters: new Map([[target.organization, limiter]]),
      out: settings.out ?? defaultFolder(datasets, new Date(timerClock.wall())),
      lock: (path) => locks.push(lockFolder(path)),
    })
    if (sitting === undefined) throw new Error('a load test was planned without a sitting')
    say(
      `Asking ${target.sandbox ? `the sandbox at ${target.address.baseUrl}` : `${visible(target.name)}, ${target.address.baseUrl}, key ${target.key.fingerprint}`}`,
    )
    const manifest = ofLoad(sitting.manifest, offer)
    const ended = await sitLoad({ ...sitting, manifest }, offer, settings.debug ?? false, signals)
    return await concludeLoad(ended, settings.json ?? false)
  } finally {
    signals.end()
    limiter.close()
    for (const unlock of locks) unlock()
    await close()
  }
}

/** A load test does not pace, does not ask a thread again, and has as many connections as calls in flight. */
function ofLoad(manifest: Manifest, offer: LoadOptions): Manifest {
  const { options } = manifest
  return {
    ...manifest,
    options: {
      ...options,
      rate: 'unlimited',
      startRate: null,
      concurrency: offer.maxInFlight,
      onAmbiguous: 'fail',
      repeat: 1,
    },
    load: offer,
  }
}

function resolveTarget(typed: RunSettings, config: Config, environment: Environment): Target {
  const targets = resolveTargets(typed, config, environment)
  const [target, ...others] = targets
  if (target === undefined || others.length > 0)
    throw new UsageError(
      `a load test has one target, and these are ${targets.length}: choose one with --target, or start a test for each`,
    )
  return target
}

/** Calls to a real endpoint are billed: how many there may be at most is said beforehand. */
function refuseWithoutEnd({ address, settings }: Target): void {
  if (settings.maxCalls !== undefined || isLoopback(new URL(address.baseUrl).hostname)) return
  throw new UsageError(
    `--max-calls is missing: ${address.baseUrl} is not on this machine, and its calls count toward a quota; say how many there may be at most, like --max-calls 5000`,
  )
}

interface Reached {
  readonly target: Target
  readonly close: () => Promise<void>
}

const reachable = (target: Target): Reached => ({ target, close: async () => undefined })

/** Started only when everything else was found in order. */
async function reachSandbox(settings: RunSettings): Promise<Reached> {
  const { startSandboxTarget } = await import('../sandbox-target.ts')
  const { target, close } = await startSandboxTarget()
  return { target: { ...target, settings }, close }
}
