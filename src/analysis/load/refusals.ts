// What the refusals of a load test repeat: the codes they have, and a quota that is used up.
import { type AttemptResult, isQuotaRefusal } from '../../domain/attempt.ts'
import { digits, plural } from '../../domain/format.ts'
import type { ResultRecord } from '../../domain/journal.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import { cut } from '../../domain/text.ts'
import { createCounts } from '../figures/figures.ts'

export interface Refusals {
  /** Counts the refused calls by status and `error.code`, as `429 RATE_LIMITED`. */
  readonly byCode: Readonly<Record<string, number>>
  /** Says that the quota is used up; undefined if a later call was answered. */
  readonly quota: Message | undefined
}

/** Tells by the order of sending: answers to earlier calls may arrive after refusals of later ones. */
export function createRefusals() {
  const counts = createCounts()
  let [others, lastAnswered] = [0, 0]
  /** Holds the latest refusal of a quota and the one before it: a single one may pass. */
  let latest = { attempt: 0, before: 0, name: '' }
  return {
    add: ({ attempt, result }: ResultRecord): void => {
      if (result.kind === 'reply') lastAnswered = Math.max(lastAnswered, attempt)
      const name = nameOf(result)
      if (name === undefined) others += 1
      else counts.add(name)
      if (name === undefined || !isQuotaRefusal(result)) return
      if (attempt > latest.attempt) latest = { attempt, before: latest.attempt, name }
      else latest.before = Math.max(latest.before, attempt)
    },
    finish: (): Refusals => {
      const byCode = counts.finish()
      const names = Object.keys(byCode)
      const isUsedUp = latest.before > lastAnswered
      const name = isUsedUp ? latest.name : (names[0] ?? '')
      const count = byCode[name] ?? 0
      const isAll = names.length === 1 && others === 0 && count > 1
      const refused = `${isAll ? 'all ' : ''}${plural(count, 'call')} were refused with ${name}`
      const text = isUsedUp
        ? `the quota is used up: ${refused}${isAll ? '' : ', the last ones among them'}`
        : `${refused}: the quota is used up, or other traffic uses the limit`
      const isQuota = isUsedUp || (isAll && name.startsWith('429 '))
      return { byCode, quota: isQuota ? makeMessage('load-quota', text) : undefined }
    },
  }
}

/** Names `429 RATE_LIMITED`; undefined unless the endpoint refused the call and gave a code. */
function nameOf(result: AttemptResult): string | undefined {
  if (result.kind !== 'rejection' || result.httpStatus < 400 || result.httpStatus >= 500) return undefined
  const { code } = result.error
  return code === undefined ? undefined : `${result.httpStatus} ${cut(code, 60)}`
}

/** Writes `Calls refused: 60 with 429 RATE_LIMITED.`; undefined without a code. */
export function refusedText({ byCode }: Refusals): string | undefined {
  const counts = Object.entries(byCode).map(([name, count]) => `${digits(count)} with ${name}`)
  return counts.length === 0 ? undefined : `Calls refused: ${counts.slice(0, 3).join(', ')}.`
}
