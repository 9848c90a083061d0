// Estimates the cost of a run: base and worst number of calls, least time, share of the quota.
import type {
  CallEstimate,
  Estimate,
  PaceEstimate,
  PartEstimate,
  RecordedPace,
} from '../../domain/estimate.ts'
import { digits, duration, makeMessage, type Message, rateText } from '../../domain/format.ts'
import { type Quota, RUNS_A_MONTH } from '../../domain/quota.ts'
import { acceptedIn } from './account.ts'
import type { Model } from './fold.ts'

export interface PlannedRun {
  readonly threads: readonly { readonly turns: readonly { readonly question: { readonly file: number } }[] }[]
  readonly repeat: number
  readonly files: readonly { readonly path: string }[]
}

export interface EstimateRules {
  /** Every conversation may have to be sent so many times more (`--confirm`). */
  readonly confirm: number
  readonly restartOnAmbiguous: boolean
  readonly maxCalls: number | null
  readonly quota: Quota | null
  readonly pace: PaceEstimate
  readonly concurrency: number
  readonly answerTime?: { readonly run: string; readonly ms: number } | undefined
}

const ANSWER_MS = 3000

export function estimateRun({ threads, repeat, files }: PlannedRun, rules: EstimateRules): Estimate {
  const { maxCalls, quota } = rules
  const all = estimatePart(threads, repeat, rules)
  const spent = mapCalls(all.calls, (calls) => Math.min(calls, maxCalls ?? Infinity))
  const month = mapCalls(spent, (calls) => Math.round(calls * RUNS_A_MONTH))
  const longestThread = threads.reduce((max, { turns }) => Math.max(max, turns.length), 0)
  return {
    ...all,
    calls: spent,
    repeat,
    longestThread,
    maxCalls,
    files: files.map(({ path }, file) => {
      const ofFile = threads.filter(({ turns }) => turns[0]?.question.file === file)
      return { path, ...estimatePart(ofFile, repeat, rules) }
    }),
    time: timeOf(spent.base, longestThread, rules),
    quota: quota && { ...quota, shareOfQuota: mapCalls(spent, (calls) => calls / quota.calls) },
    nightly: { ...month, shareOfQuota: quota && mapCalls(month, (calls) => calls / quota.calls) },
    messages: all.calls.base === 0 ? [] : messagesOf(all.calls.base, rules),
  }
}

const mapCalls = ({ base, worst }: CallEstimate, of: (calls: number) => number): CallEstimate => ({
  base: of(base),
  worst: of(worst),
})

/**
 * Ignores `maxCalls`. An ambiguous failure restarts a thread once (`runner/thread.ts`): if the last of its n
 * turns fails (n calls), all are sent again (n more). 429s and calls that never reached the endpoint do not
 * count.
 */
function estimatePart(
  threads: PlannedRun['threads'],
  repeat: number,
  { restartOnAmbiguous, confirm }: EstimateRules,
): PartEstimate {
  const questions = threads.reduce((sum, { turns }) => sum + turns.length, 0)
  const base = questions * repeat
  const worst = base * (1 + confirm) * (restartOnAmbiguous ? 2 : 1)
  return { threads: threads.length, questions, calls: { base, worst } }
}

/**
 * Bounds all orders of the calls (Graham 1966): at least the largest of the pace, the longest thread, and
 * full concurrency; at most the longest thread after the others, where the limit is not known.
 */
function timeOf(calls: number, longestThread: number, rules: EstimateRules): Estimate['time'] {
  const { pace, concurrency, answerTime } = rules
  const answerMs = answerTime?.ms ?? ANSWER_MS
  const perSecond =
    pace.kind === 'unlimited' ? Infinity : pace.kind === 'unknown' ? pace.startPerSecond : pace.perSecond
  // The first call does not wait.
  const paced = (Math.max(0, calls - 1) * 1000) / perSecond
  const longest = Math.min(longestThread, calls) * answerMs
  const inFlight = (calls * answerMs) / concurrency
  const common = { pace, concurrency, answerMs }
  return pace.kind === 'unknown'
    ? { ...common, ms: Math.max(paced, inFlight) + longest, bound: 'about' }
    : { ...common, ms: Math.max(paced, longest, inFlight), bound: 'at least' }
}

function messagesOf(base: number, { maxCalls, pace, answerTime }: EstimateRules): Message[] {
  const messages: Message[] = []
  const say = (code: string, text: string): void => void messages.push(makeMessage(code, text))
  if (maxCalls !== null && maxCalls < base)
    say(
      'max-calls-below-base',
      `--max-calls permits ${digits(maxCalls)} of ${digits(base)} calls: the run stops early. It can be ` +
        'resumed.',
    )
  if (answerTime === undefined) say('answer-time-assumed', `Answer time ${duration(ANSWER_MS)} is assumed.`)
  else
    say(
      'answer-time-recorded',
      `Answer time ${duration(answerTime.ms)} is the mean of the run ${answerTime.run}.`,
    )
  if (pace.kind === 'unknown')
    say(
      'limit-unknown',
      `The limit is not known: a run takes longer if it is below the starting pace of ` +
        `${rateText(pace.startPerSecond)}, else less. Set --rate, or name an earlier run with --from.`,
    )
  if (pace.kind === 'recorded') {
    const { seen } = pace
    const how =
      seen.how === 'announced'
        ? `the endpoint announces ${seen.policy}`
        : seen.how === 'accepted'
          ? `accepted for ${duration(seen.forMs)} without a 429`
          : 'set by its 429s'
    say('pace-recorded', `Pace ${rateText(pace.perSecond)} is that of the run ${pace.run}: ${how}.`)
  }
  return messages
}

/**
 * The endpoint announced this pace or 429s set it; else it is the rate at which calls were accepted. No 429s
 * set a faster one: after a single 429 the pace may be that of a burst, which a window allows but once.
 */
export function paceOfRun(model: Model): RecordedPace | undefined {
  const { paceChanges, rateLimited } = model
  const stated = paceChanges.findLast(({ policy }) => policy !== undefined)
  if (typeof stated?.pace === 'number' && stated.policy !== undefined)
    return { perSecond: stated.pace, seen: { how: 'announced', policy: stated.policy } }
  const last = paceChanges.findLast(({ pace }) => pace !== null)?.pace
  const accepted = acceptedIn(model)
  if (rateLimited > 0 && typeof last === 'number')
    return { perSecond: Math.min(last, accepted?.perSecond ?? last), seen: { how: 'refused' } }
  return accepted === null
    ? undefined
    : { perSecond: accepted.perSecond, seen: { how: 'accepted', forMs: accepted.forMs } }
}
