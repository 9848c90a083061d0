// `load`: offer a chosen rate of threads, or seek the limit; record, and say what the endpoint did.
import { visible } from '../../report/visible.ts'
import { isLoopback } from '../../endpoint/address.ts'
import { createLimiter } from '../../pace/create.ts'
import { loadConfig, type Config } from '../config.ts'
import { inWordsOf } from '../config-words.ts'
import { hashEndUserRefs } from '../end-user-refs.ts'
import type { Environment } from '../environment.ts'
import { lockFolder } from '../folder-lock.ts'
import { planSearch } from '../find-limit/plan-search.ts'
import { isSearch, mergeFindLimitSettings } from '../find-limit/read-find-limit.ts'
import { planLoad } from '../load/plan-load.ts'
import { mergeLoadSettings } from '../load/read-load.ts'
import { timerClock } from '../load/timer-clock.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { say } from '../output.ts'
import { planSittings } from '../plan.ts'
import { loadQuestionSets, refuseTwice } from '../question-sets.ts'
import { defaultFolder, refuseTaken } from '../run-folder.ts'
import { selectThreads } from '../selection.ts'
import { planPart } from '../shard.ts'
import { watchBeginning, watchSignals } from '../signals.ts'
import { giveWayToTyped, resolveTargets, type Target } from '../targets.ts'
import { UsageError } from '../../library/usage-error.ts'

/** Returns the exit code. Throws UsageError before anything is sent. */
export async function load(datasets: readonly string[], typed: RunSettings): Promise<number> {
  watchBeginning()
  const config = giveWayToTyped(typed, await loadConfig(typed.config))
  return inWordsOf(config, typed, async () => loadWith(config, datasets, typed))
}

async function loadWith(config: Config, datasets: readonly string[], typed: RunSettings): Promise<number> {
  refuseTwice(datasets)
  const seeksLimit = isSearch(typed, config.settings)
  if (!seeksLimit && typed.maxRate !== undefined)
    throw new UsageError('--max-rate goes with --find-limit; a load test is as fast as --arrival-rate says')
  const merge = seeksLimit ? mergeFindLimitSettings : mergeLoadSettings
  const settings = merge(typed, config.settings)
  const environment = process.env
  const resolved = settings.sandbox === true ? undefined : resolveTarget(typed, config, environment)
  const own = resolved === undefined ? settings : merge(typed, resolved.settings)
  const plan = seeksLimit ? planSearch(own) : planLoad(own)
  if (resolved !== undefined) refuseWithoutEnd(resolved)
  const set = await loadQuestionSets(datasets, settings)
  const selected = selectThreads(set.threads, settings)
  const threads = settings.hashEndUserRefs === true ? hashEndUserRefs(selected, environment) : selected
  for (const warning of set.warnings) say(`Note: ${visible(warning)}`)
  const { questions, shard } = planPart(threads, settings.shard)
  if (questions.turns.length === 0)
    throw new UsageError(
      `--shard ${settings.shard} holds no thread of the set, and a load test needs one: make fewer parts`,
    )
  if (settings.out !== undefined) refuseTaken(settings.out)
  say(plan.describe([...questions.openThreads(1)]).join('\n'))

  const { target, close } = resolved === undefined ? await reachSandbox(own) : reachable(resolved)
  const signals = watchSignals()
  const limiter = createLimiter(
    { rate: { kind: 'unlimited' }, concurrency: plan.maxInFlight },
    timerClock,
    Math.random,
  )
  const locks: (() => void)[] = []
  try {
    const [sitting] = planSittings({
      targets: [target],
      datasets,
      set,
      questions,
      limiters: new Map([[target.organization, limiter]]),
      environment,
      out: settings.out ?? defaultFolder(datasets, new Date(timerClock.wall())),
      lock: (path) => locks.push(lockFolder(path)),
    })
    if (sitting === undefined) throw new Error('a load test was planned without a sitting')
    say(
      `Asking ${target.sandbox ? `the sandbox at ${target.address.baseUrl}` : `${visible(target.name)}, ${target.address.baseUrl}, key ${target.key.fingerprint}`}`,
    )
    // Each of several generators has a budget of its own.
    const manifest =
      shard === undefined ? sitting.manifest : { ...sitting.manifest, shard: { ...shard, maxCalls: null } }
    return await plan.carryOut({ ...sitting, manifest }, settings, signals)
  } finally {
    signals.end()
    limiter.close()
    for (const unlock of locks) unlock()
    await close()
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
  const { target, close } = await startSandboxTarget({ kb: settings.kb })
  return { target: { ...target, settings }, close }
}
