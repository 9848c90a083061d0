// What a run costs, before its first call and without a key; and what question sets contain.
import { basename, resolve } from 'node:path'
import { estimateRun, paceOfRun } from '../analysis/figures/estimate.ts'
import { readQuestionSets, type ReadResult } from '../dataset/read.ts'
import { surveyOf } from '../dataset/survey.ts'
import type { Estimate } from '../domain/estimate.ts'
import type { Survey } from '../domain/question.ts'
import { partOfBudget } from '../domain/shard.ts'
import { optionError, UsageError } from '../options/faults.ts'
import { quotaOf, recordedOptions } from '../options/manifest.ts'
import { checkPaths, readOptions } from '../options/settings.ts'
import { paceOf } from '../pace/policy.ts'
import type { PaceRules } from '../pace/rules.ts'
import { createPaceState } from '../pace/state.ts'
import { createEventSink } from '../runner/events.ts'
import { openThreads } from '../runner/thread.ts'
import { mean, sortSamples } from '../stats/quantile.ts'
import { rejectDuplicates } from '../store/folder.ts'
import { openArticles, readTaught } from './articles.ts'
import { readEmbeddings, tryVectors, VECTORS_FILE } from './embeddings.ts'
import { readTargets, rejectTogether, type SendingOptions } from './job.ts'
import { paceRulesOf } from './targets.ts'
import { NO_SET, openSets } from './question-sets.ts'
import { type Ports, realPorts, resolveShipped } from './ports.ts'
import { openRun, type ReadingOptions, type RecordedRun } from './recorded-run.ts'

export interface EstimateOptions extends ReadingOptions<'estimate'> {
  readonly datasets: readonly string[]
  readonly sandbox?: SendingOptions['sandbox']
  readonly targets?: SendingOptions['targets']
}

export interface EstimateResult extends Estimate {
  readonly target: string
  readonly notes: readonly string[]
}

export async function estimate(
  options: EstimateOptions,
  ports: Ports = realPorts(),
): Promise<EstimateResult> {
  const [first, ...others] = await estimateTargets(options, ports)
  if (first === undefined || others.length > 0) throw new UsageError('several targets: use estimateTargets')
  return first
}

export async function estimateTargets(
  options: EstimateOptions,
  ports: Ports = realPorts(),
): Promise<EstimateResult[]> {
  const { datasets, targets, sandbox, onEvent, ...written } = options
  checkPaths('datasets', datasets)
  const settings = readOptions('estimate', written)
  const chosen = readTargets('estimate', settings, { targets, sandbox })
  const { note, notes } = createEventSink(onEvent, ports.clock)
  const unhashed = { ...settings, hashEndUserRefs: false }
  const { set, turns, shard } = await openSets(datasets, unhashed, { note, ports })
  const earlier =
    settings.from === undefined
      ? undefined
      : await openRun(settings.from, 'estimate takes the pace of a run', { note, ports })
  return chosen.map((target) => {
    const { settings: sent } = target
    const { repeat, maxCalls, onAmbiguous, confirm } = recordedOptions.parse(sent)
    rejectTogether({ confirm, repeat })
    const rules = paceRulesOf(sent)
    const cost = estimateRun(
      { threads: openThreads(turns, 1), repeat, files: set.files },
      {
        confirm,
        restartOnAmbiguous: onAmbiguous === 'restart',
        maxCalls: maxCalls === null || shard === undefined ? maxCalls : partOfBudget(maxCalls, shard),
        quota: quotaOf(sent.quota, null),
        concurrency: rules.concurrency,
        ...timesOf(rules, earlier),
      },
    )
    return { target: target.name, ...cost, notes }
  })
}

/** Paces by the rate of the user, else as an earlier run did, else as the limiter starts. */
function timesOf(rules: PaceRules, earlier: RecordedRun | undefined) {
  const { pace } = paceOf(createPaceState(rules))
  const times = earlier?.model.slots.flatMap(({ outcome, serviceMs }) =>
    outcome === 'answered' && serviceMs !== undefined ? [serviceMs] : [],
  )
  const ms = times && mean(sortSamples(times))
  if (earlier !== undefined && ms === undefined)
    throw optionError('from', `${earlier.path} has no answers; name a run with answers`)
  const answerTime = earlier && ms !== undefined ? { run: basename(resolve(earlier.path)), ms } : undefined
  if (pace === null) return { pace: { kind: 'unlimited' as const }, answerTime }
  if (rules.rate.kind === 'known') return { pace: { kind: 'paced' as const, perSecond: pace }, answerTime }
  if (earlier === undefined || answerTime === undefined)
    return { pace: { kind: 'unknown' as const, startPerSecond: pace } }
  const seen = paceOfRun(earlier.model)
  if (seen === undefined)
    throw optionError(
      'from',
      `${earlier.path} does not show how fast it may go; name another run, or set --rate`,
    )
  // That run left a share to live users, too. What it met no limit at is not exceeded.
  const share = rules.share / earlier.manifest.options.share
  const perSecond = seen.perSecond * (seen.seen.how === 'accepted' ? Math.min(1, share) : share)
  return { pace: { kind: 'recorded' as const, run: answerTime.run, ...seen, perSecond }, answerTime }
}

export interface ValidateOptions extends ReadingOptions<'validate'> {
  readonly datasets: readonly string[]
}

export type ValidateResult =
  { readonly kind: 'valid'; readonly survey: Survey } | Extract<ReadResult, { readonly kind: 'faulty' }>

export async function validate(
  options: ValidateOptions,
  ports: Ports = realPorts(),
): Promise<ValidateResult> {
  const { datasets, onEvent, ...written } = options
  checkPaths('datasets', datasets)
  const settings = readOptions('validate', written)
  const paths = datasets.map((path) => resolveShipped(path, () => undefined))
  rejectDuplicates(paths, NO_SET)
  const reading = await readQuestionSets(paths, settings)
  if (reading.kind === 'faulty') return reading
  const survey = surveyOf(reading.set)
  if (settings.articles === undefined) return { kind: 'valid', survey }
  const { note } = createEventSink(onEvent, ports.clock)
  const articles = await openArticles(settings.articles, settings, note)
  const taught = await readTaught(settings)
  const endpoint = readEmbeddings(settings, ports, note)
  const questions = reading.set.threads.flatMap(({ turns }) => turns.map(({ message }) => message))
  const vectors = await tryVectors(endpoint, VECTORS_FILE, { articles, questions }, note)
  const { matchArticles } = await import('../analysis/articles/consult.ts')
  const match = matchArticles(reading.set.threads, articles, { ...taught, vectors })
  return { kind: 'valid', survey: { ...survey, articles: match } }
}
