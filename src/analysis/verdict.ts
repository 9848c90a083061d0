// The verdict of a run: what is printed and what the process exits with come from here alone.
import { digits } from '../domain/text.ts'
import { describeParts } from '../domain/shard.ts'
import { describeInterruption, exitCodeOfInterruption, type Stop } from '../domain/stop.ts'
import { storageAilment } from '../domain/storage-error.ts'
import type { Figures, Summary } from '../domain/summary.ts'

export interface Verdict {
  readonly verdict: Exclude<Summary['verdict'], 'part'>
  readonly exitCode: number
  /** Why, in a sentence. */
  readonly reason: string
}

/** `reasons`: why gates failed, a sentence each. `stop` is undefined where the process died before it could say. */
export function judge(
  stop: Stop | undefined,
  { turns, expectations }: Pick<Figures, 'turns' | 'expectations'>,
  reasons: readonly string[],
): Verdict {
  const left = describeLeft(turns.notAsked, stop)
  if (stop?.kind !== 'done') return judgeStop(stop, left)
  return turns.notAsked > 0
    ? incomplete(4, `the journal is damaged; ${left}`)
    : judgeDone(reasons, turns, expectations)
}

/** Of a run or a load test that ended early. `left`: how far it had come, a clause. */
export function judgeStop(stop: Exclude<Stop, { kind: 'done' }> | undefined, left: string): Verdict {
  if (stop === undefined) return incomplete(4, `the process ended before the run did; ${left}`)
  switch (stop.kind) {
    case 'keyRefused': {
      const what = stop.httpStatus === 401 ? 'the key (401)' : 'the scope of the key (403)'
      return incomplete(3, `the endpoint refused ${what}: ${unended(stop.message)}; ${left}`)
    }
    case 'budget':
      return incomplete(4, `${describeBudget(stop)}; ${left}`)
    case 'partsMissing':
      return incomplete(4, `${describeMissing(stop)}; ${left}`)
    case 'timeUp':
      return incomplete(4, `its time was over; ${left}`)
    case 'gaveUp':
      return incomplete(4, `${describeGivingUp(stop)}; ${left}`)
    case 'quotaSpent':
      return incomplete(4, `${describeSpentQuota(stop)}; ${left}`)
    case 'limiterLost':
      return incomplete(4, `${stop.reason}; ${left}`)
    case 'aborted':
      return { verdict: 'failed', exitCode: 1, reason: `ended early: ${stop.reason}` }
    case 'storage':
      return incomplete(4, `${describeStorage(stop)}; ${left}`)
    case 'interrupted':
      return incomplete(exitCodeOfInterruption(stop), `${describeInterruption(stop)}; ${left}`)
    case 'fault':
      return incomplete(5, `a fault of the harness: ${stop.message}; ${left}`)
  }
}

/** Of the endpoint's words, within a sentence of ours. */
const unended = (text: string): string => text.trimEnd().replace(/\.+$/, '')

/** A resume may ask again what has an outcome: until then the earlier one stands. */
function describeLeft(notAsked: number, stop: Stop | undefined): string {
  const isCutOff = stop === undefined || stop.kind === 'storage' || stop.kind === 'fault'
  if (notAsked === 0)
    return `every turn has an outcome${isCutOff ? '' : ', but not every one that was to be sent again was'}`
  return notAsked === 1 ? '1 turn has no outcome' : `${digits(notAsked)} turns have no outcome`
}

function judgeDone(
  reasons: readonly string[],
  { answered, total }: Figures['turns'],
  { passed, failed }: Figures['expectations'],
): Verdict {
  if (reasons.length > 0) return { verdict: 'failed', exitCode: 1, reason: reasons.join('; ') }
  const answers = answered === total ? 'every turn was answered' : 'every gate passed'
  const kept = passed > 0 && failed === 0 ? ', and every expectation was kept' : ''
  return { verdict: 'passed', exitCode: 0, reason: `${answers}${kept}` }
}

function incomplete(exitCode: number, reason: string): Verdict {
  return { verdict: 'incomplete', exitCode, reason }
}

function describeBudget({ maxCalls, part }: Extract<Stop, { kind: 'budget' }>): string {
  const whose = part === undefined ? undefined : describeParts([part.index, ...(part.others ?? [])], part.of)
  if (maxCalls === 0)
    return `--max-calls leaves ${whose === undefined ? '' : `${whose} `}no call, as the parts of a run share it: raise it, or make fewer parts`
  return `the call budget of ${digits(maxCalls)}${whose === undefined ? '' : `, that of ${whose},`} is used up`
}

function describeMissing({ parts, of }: Extract<Stop, { kind: 'partsMissing' }>): string {
  return `${describeParts(parts, of)} ${parts.length === 1 ? 'is' : 'are'} missing`
}

function describeSpentQuota({ last, rateLimitCodes }: Extract<Stop, { kind: 'quotaSpent' }>): string {
  const others = rateLimitCodes.join(', ') || 'none'
  return `the quota seems to be spent: nothing but refusals (last: ${last}), and not the rate limit's (${others})`
}

function describeStorage({ code, message }: Extract<Stop, { kind: 'storage' }>): string {
  switch (storageAilment(code)) {
    case 'full':
      return `the disk is full (${message}): nothing was sent any more; make room and resume`
    case 'forbidden':
      return `the journal may not be written (${message}): nothing was sent any more; make its folder writable and resume`
    case undefined:
      return `the journal cannot be written (${message}): nothing was sent any more`
  }
}

export function describeGivingUp({
  over,
  last,
  afterMs,
  namedMs,
}: Extract<Stop, { kind: 'gaveUp' }>): string {
  const time = inWords(afterMs)
  if (namedMs !== undefined)
    return `the endpoint asks to wait ${inWords(namedMs)} (${last}), more than is left of --give-up-after ${time}`
  return over === 'refusals'
    ? `nothing but refusals (429) for ${time}: a spent quota, or a limit that others use up (last: ${last})`
    : `nothing but failures for ${time}, last ${last}: the endpoint is unreachable or down`
}

function inWords(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`
  const [value, unit] = ms < 2 * 3_600_000 ? [ms / 60_000, 'min'] : [ms / 3_600_000, 'h']
  return `${Number(value.toPrecision(3))} ${unit}`
}
