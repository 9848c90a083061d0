// The sentence that all reports of a load test begin with: what was offered, and what came of it.
import type { LoadModel, LoadReport } from '../domain/load.ts'
import { digits, plural } from '../domain/text.ts'
import { duration, percent, perSecond } from './numbers.ts'

/** `20 threads a second`, `1 to 20 threads a second`, `10 users, each in a loop`. */
export function describeModel(model: LoadModel): string {
  if (model.kind === 'closed') return `${plural(model.users, 'user')}, each in a loop`
  const rates = model.stages.flatMap(({ from, to }) => [from, to])
  const [low, high] = [Math.min(...rates), Math.max(...rates)]
  const range = low === high ? perSecond(low) : `${perSecond(low)} to ${perSecond(high)}`
  return `${range} ${range === '1' ? 'thread' : 'threads'} a second`
}

export function headlineSentence(report: LoadReport): string {
  const { load, responseMs, dropped, offered, pacing, achieved, errors, turns } = report
  const parts = [
    `Offered ${describeModel(load.model)}`,
    ...(offered.threads === 0 ? ['the test ended before a thread was due'] : []),
    ...(achieved.calls > 0 && turns.answered === 0 ? ['no turn was answered'] : []),
    ...(responseMs.p95 === null ? [] : [`p95 response time ${duration(responseMs.p95)}`]),
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
    ...(errors.errors === 0 ? [] : [`${digits(errors.errors)} of ${plural(errors.asked, 'turn')} failed`]),
  ]
  return `${parts.join('; ')}.`
}

/** ` RATE_LIMITED`: the codes that stand for most of the 429s. */
function nameCodes({ refusals }: LoadReport): string {
  const codes = Object.keys(refusals?.byCode ?? {}).filter((code) => code !== 'none')
  return codes.length === 0 ? '' : ` ${codes.slice(0, 3).join(', ')}`
}

export const LOAD_VERDICTS: Readonly<Record<LoadReport['verdict'], string>> = {
  done: 'Done',
  passed: 'Passed',
  failed: 'Failed',
  incomplete: 'Incomplete',
}
