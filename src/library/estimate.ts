// `estimate`: what a run costs, before its first call and without a key. `validate`: what the question sets
// contain.
import { estimateRun } from '../analysis/estimate.ts'
import { readQuestionSets, type ReadResult } from '../dataset/read.ts'
import { surveyOf } from '../dataset/survey.ts'
import type { Estimate, PaceEstimate } from '../domain/estimate.ts'
import type { Survey } from '../domain/question.ts'
import { parseShard, partOfBudget } from '../domain/shard.ts'
import { UsageError } from '../options/faults.ts'
import { quotaOf, recordedOptions } from '../options/manifest.ts'
import { checkPaths, type CommandOptions, readOptions, type RunSettings } from '../options/settings.ts'
import { paceOf } from '../pace/policy.ts'
import type { PaceRules } from '../pace/rules.ts'
import { createPaceState } from '../pace/state.ts'
import { createEventSink, type RunEvent } from '../runner/events.ts'
import { openThreads } from '../runner/thread-state.ts'
import { openArticles } from './articles.ts'
import { readTargets, rejectConfirmedRepeats, type SendingOptions } from './job.ts'
import { paceRulesOf } from './limiters.ts'
import { type OpenedSet, openSets, rejectDuplicates } from './question-sets.ts'
import { resolveShipped } from './shipped.ts'

export interface EstimateOptions
  extends CommandOptions<'estimate'>, Pick<SendingOptions, 'sandbox' | 'targets'> {
  /** Question sets (CSV files). */
  readonly datasets: readonly string[]
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export interface EstimateResult extends Estimate {
  /** Its name; `default` without `targets`. */
  readonly target: string
  readonly notes: readonly string[]
}

export async function estimate(options: EstimateOptions): Promise<EstimateResult> {
  const [first, ...others] = await estimateTargets(options)
  if (first === undefined || others.length > 0) throw new UsageError('several targets: use estimateTargets')
  return first
}

export async function estimateTargets(options: EstimateOptions): Promise<EstimateResult[]> {
  const { datasets, targets, sandbox, onEvent, ...written } = options
  checkPaths('datasets', datasets)
  const settings = readOptions('estimate', written)
  const chosen = readTargets('estimate', settings, { targets, sandbox })
  const { note, notes } = createEventSink(onEvent)
  const opened = await openSets(
    datasets,
    { ...settings, hashEndUserRefs: false },
    { note, ports: { env: {} } },
  )
  return chosen.map(({ name, settings: own }) => ({ target: name, ...estimateSets(opened, own), notes }))
}

function estimateSets({ set, turns }: OpenedSet, settings: RunSettings): Estimate {
  rejectConfirmedRepeats(settings)
  const { repeat, maxCalls, onAmbiguous, confirm } = recordedOptions.parse(settings)
  const rules = paceRulesOf(settings)
  const shard = settings.shard === undefined ? undefined : parseShard(settings.shard)
  return estimateRun(
    { threads: openThreads(turns, 1), repeat, files: set.files },
    {
      confirm,
      restartOnAmbiguous: onAmbiguous === 'restart',
      maxCalls: maxCalls === null || shard === undefined ? maxCalls : partOfBudget(maxCalls, shard),
      quota: quotaOf(settings.quota, null),
      pace: paceFrom(rules),
      concurrency: rules.concurrency,
    },
  )
}

/** The pace that the limiter starts with. */
function paceFrom(rules: PaceRules): PaceEstimate {
  const { pace } = paceOf(createPaceState(rules))
  if (pace === null) return { kind: 'unlimited' }
  return rules.rate.kind === 'known'
    ? { kind: 'paced', perSecond: pace }
    : { kind: 'unknown', startPerSecond: pace }
}

export interface ValidateOptions extends CommandOptions<'validate'> {
  /** Question sets (CSV files). */
  readonly datasets: readonly string[]
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export type ValidateResult =
  { readonly kind: 'valid'; readonly survey: Survey } | Extract<ReadResult, { readonly kind: 'faulty' }>

export async function validate(options: ValidateOptions): Promise<ValidateResult> {
  const { datasets, onEvent, ...written } = options
  checkPaths('datasets', datasets)
  const settings = readOptions('validate', written)
  const paths = datasets.map((path) => resolveShipped(path, () => undefined))
  rejectDuplicates(paths)
  const reading = await readQuestionSets(paths, settings)
  if (reading.kind === 'faulty') return reading
  const survey = surveyOf(reading.set)
  if (settings.articles === undefined) return { kind: 'valid', survey }
  const articles = await openArticles(settings.articles, settings, createEventSink(onEvent).note)
  const { matchArticles } = await import('../analysis/articles.ts')
  return { kind: 'valid', survey: { ...survey, articles: matchArticles(reading.set.threads, articles) } }
}
