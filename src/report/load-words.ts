// The sentences that all reports of a load test share: what was offered, how it was stood, whether grounding held.
import type { LoadModel } from '../domain/load/load-options.ts'
import type { LoadReport } from '../domain/load/load-report.ts'
import type { RateBand } from '../domain/load/rate-bands.ts'
import { quotaCodesOf } from '../domain/load/quota-codes.ts'
import { pValue } from './differences.ts'
import { judgementOf, type LoadJudgement } from './load-judgement.ts'
import { digits, plural } from '../domain/digits.ts'
import { duration, percent, perSecond } from './numbers.ts'

/** `20 threads a second`, `1 to 20 threads a second`, `10 users, each in a loop`. */
export function describeModel(model: LoadModel): string {
  if (model.kind === 'closed') return `${plural(model.users, 'user')}, each in a loop`
  const rates = model.stages.flatMap(({ from, to }) => [from, to])
  const [low, high] = [Math.min(...rates), Math.max(...rates)]
  const range = low === high ? perSecond(low) : `${perSecond(low)} to ${perSecond(high)}`
  return `${range} ${range === '1' ? 'thread' : 'threads'} a second`
}

const JUDGEMENTS: Readonly<Record<LoadJudgement, string>> = {
  nothingOffered: 'the test ended before a thread was due',
  stopped: 'it was stopped before an answer could come',
  silent: 'the endpoint answered nothing',
  generator: 'the generator was the limit, so this says little of the endpoint',
  failing: 'the endpoint failed under it',
  refused: 'the rate limit of the endpoint refused part of it',
  noRoom: 'more was offered than --max-in-flight can carry',
  dropped: 'the endpoint did not keep up',
  behind: 'the endpoint did not keep up',
  closed:
    'whether the endpoint keeps up cannot be told, as users who wait for their answers ask less when it is slower (--arrival-rate tells)',
  unknown: 'it was too little, or too short, to tell whether the endpoint keeps up',
  kept: 'the endpoint kept up',
}

function describeJudgement(report: LoadReport): string {
  const { keepingUp } = report
  const judgement = judgementOf(report)
  const codes = quotaCodesOf(report.refusals?.byCode ?? {})
  if (codes.length > 0 && judgement === 'refused') return `part of it was refused: ${codes.join(', ')}`
  if (codes.length > 0 && judgement === 'silent') return `${JUDGEMENTS.silent}: refused: ${codes.join(', ')}`
  if (judgement === 'noRoom')
    return `more was offered than --max-in-flight ${digits(report.load.maxInFlight)} can carry`
  const isBehind = judgement === 'behind' || judgement === 'dropped'
  if (!isBehind || keepingUp?.verdict !== 'behind') return JUDGEMENTS[judgement]
  const { due, ended, fromMs, toMs } = keepingUp
  const since = fromMs === 0 ? 'the start' : duration(fromMs)
  return `${JUDGEMENTS.behind}: answers came at ${perSecond(ended)} a second of ${perSecond(due)} asked for, and waited longer and longer (counted from ${since} to ${duration(toMs)})`
}

/** The first sentence, in parts that semicolons join. */
export function loadHeadline(report: LoadReport): readonly string[] {
  const { load, responseMs, dropped, offered, pacing, achieved, errors } = report
  return [
    `offered ${describeModel(load.model)}`,
    describeJudgement(report),
    ...(responseMs.p95 === null
      ? []
      : [`95 of 100 answers came within ${duration(responseMs.p95)} of their due moment`]),
    ...(dropped.threads === 0
      ? []
      : [
          `${digits(dropped.threads)} of ${plural(offered.threads, 'thread')} ${dropped.threads === 1 ? 'was' : 'were'} dropped`,
        ]),
    ...(pacing.rateLimited === 0
      ? []
      : [
          `${percent(pacing.rate429)} of calls were refused (429${nameCodes(report)}: ${digits(pacing.rateLimited)} of ${digits(achieved.calls)})`,
        ]),
    ...movedGrounding(report),
    ...(errors.errors === 0 ? [] : [`${digits(errors.errors)} of ${plural(errors.asked, 'turn')} failed`]),
  ]
}

/** ` RATE_LIMITED`: the codes that stand for most of the 429s. */
function nameCodes({ refusals }: LoadReport): string {
  const codes = Object.keys(refusals?.byCode ?? {}).filter((code) => code !== 'none')
  return codes.length === 0 ? '' : ` ${codes.slice(0, 3).join(', ')}`
}

/** Where it is more than chance; by how much, where the shares of all answers moved the same way. */
function movedGrounding({ groundingTrend: { verdict, change } }: LoadReport): string[] {
  if (change === null || (verdict !== 'falls' && verdict !== 'rises')) return []
  const isSame = change < 0 === (verdict === 'falls')
  const by = isSame ? ` by ${Math.abs(change * 100).toFixed(1)} points` : ''
  return [`grounding ${verdict === 'falls' ? 'fell' : 'rose'}${by} as more was offered`]
}

export const headlineSentence = (report: LoadReport): string => {
  const text = loadHeadline(report).join('; ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

/** Does grounding degrade under load? */
export function describeTrend({ groundingTrend, load }: LoadReport): string {
  const { verdict, p, change, between, lowest, highest, conversations, onlyRose } = groundingTrend
  if (load.model.kind === 'closed')
    return 'Users in a loop offer no rate: whether grounding falls under load takes a test with arrivals in stages.'
  if (verdict === 'untested' || change === null || lowest === null || highest === null)
    return lowest !== null && lowest === highest
      ? 'One rate alone was offered: whether grounding falls under load takes a test with stages or a ramp.'
      : 'Whether grounding falls under load cannot be told: too few answers at different rates.'
  const rates =
    between === null
      ? `${perSecond(lowest)} to ${perSecond(highest)} threads a second`
      : `${describeBand(between.low)} threads a second against ${describeBand(between.high)}`
  const points = `${Math.abs(change * 100).toFixed(1)} points`
  const evidence = `${pValue(p)}, ${plural(conversations, 'conversation')}`
  const caution = onlyRose ? ' The rate only rose, so time may have done it as well.' : ''
  if (verdict === 'none')
    return `Grounding did not change with the offered rate by more than chance makes (${rates}: ${change < 0 ? '−' : '+'}${points}; ${evidence}).`
  const moved = verdict === 'falls' ? 'fell' : 'rose'
  if (change < 0 !== (verdict === 'falls'))
    return `Grounding of the same threads ${moved} as more was offered, more than chance makes (${evidence}), though that of all answers did not (${rates}: ${change < 0 ? '−' : '+'}${points}), as other threads were asked.${caution}`
  return `Grounding ${moved} as more was offered: by ${points} (${rates}), more than chance makes (${evidence}).${caution}`
}

/** `5 to 10`, threads a second. */
export const describeBand = ({ from, to }: Pick<RateBand, 'from' | 'to'>): string =>
  from === to ? perSecond(from) : `${perSecond(from)} to ${perSecond(to)}`

export function describeGenerator({ generator, achieved }: LoadReport): string {
  if (achieved.calls === 0) return 'sent nothing'
  const { limited, reasons, sendLagP99Ms, loopDelayP99Ms, cpu, foreignCpu, cores } = generator
  if (limited) return `the limit: ${reasons.join('; ')}`
  const facts = [
    ...(sendLagP99Ms === null
      ? []
      : [`99 of 100 calls left within ${duration(sendLagP99Ms)} of when they could`]),
    ...(loopDelayP99Ms === null ? [] : [`event loop late by ${duration(loopDelayP99Ms)}`]),
    ...(cpu === null ? [] : [`${cpu.mean.toFixed(2)} of ${cores ?? '?'} cores used`]),
    ...(foreignCpu === null ? [] : [`${foreignCpu.mean.toFixed(2)} by others`]),
  ]
  return facts.length === 0 ? 'not watched' : `not the limit: ${facts.join(', ')}`
}
