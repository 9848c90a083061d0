// Whether the ledger lies in the account's interval, what was counted after all, and which assumption did not hold.
import { digits } from '../../domain/digits.ts'
import type { ReconciledCall, Reconciliation, Sureness } from '../../domain/reconciliation.ts'

type Facts = Pick<
  Reconciliation,
  'account' | 'matched' | 'unmatched' | 'inTotals' | 'unexplained' | 'totals' | 'ledger' | 'mode'
>

type Judgement = Pick<Reconciliation, 'counted' | 'verdict' | 'countedRefusals'>

export function judgeLedger(facts: Facts, lines: readonly ReconciledCall[]): Judgement {
  const counted = countedOf(facts)
  const countedRefusals = refusalsOf(lines)
  return { counted, countedRefusals, verdict: verdictOf(facts, counted, countedRefusals) }
}

type Counted = Reconciliation['counted']

/**
 * Calls of this run that the ledger counts. An answer's row counts even if it may be another's, as the answer has one in
 * any case. What was matched by time alone may be other traffic, however well it fits. Of totals: as many as the account
 * and they allow.
 */
function countedOf({ inTotals, unexplained, totals, matched }: Facts): Counted {
  const { sure } = matched.bySureness
  const unsure = matched.possible + matched.notCounted - sure.possible - sure.notCounted
  const least = unexplained.own + matched.certain + sure.possible + sure.notCounted
  return {
    min: least + Math.min(totals, inTotals.certain),
    max: least + unsure + Math.min(totals, inTotals.certain + inTotals.possible),
  }
}

function verdictOf(
  { account, matched, unmatched, unexplained, totals, inTotals, ledger, mode }: Facts,
  counted: Counted,
  refusals: Reconciliation['countedRefusals'],
): Reconciliation['verdict'] {
  const interval =
    account.min === account.max ? digits(account.min) : `${digits(account.min)} to ${digits(account.max)}`
  if (account.attempts === 0)
    return {
      kind: 'unknown',
      by: 0,
      words: 'Nothing was sent: there is no account to hold the ledger against',
    }
  if (
    ledger.total - ledger.before - ledger.between - ledger.after === 0 &&
    counted.max === 0 &&
    account.min > 0
  )
    return {
      kind: 'below',
      by: account.min,
      words: `The ledger has no call in the run's time, and the account has ${interval}: is it the organization's, of that day, and is its time zone right (--ledger-zone)?`,
    }
  const excess = totals - inTotals.certain - inTotals.possible
  if ((mode === 'totals' || mode === 'untimed' || mode === 'mixed') && excess > 0)
    return {
      kind: 'above',
      by: excess,
      words: `The ledger's totals lie ${excess} above the account's interval (${interval} calls): other traffic of those ${mode === 'untimed' ? 'times' : 'hours or days'}, or refused calls that are counted (${account.notCounted} were refused)`,
    }
  if (counted.max < account.min) {
    const by = account.min - counted.max
    return {
      kind: 'below',
      by,
      words: `The ledger lies ${by} below the account's interval (${interval} calls): it does not have every call that was answered`,
    }
  }
  const { doubtful } = matched.bySureness
  const likely = counted.max - doubtful.possible - doubtful.notCounted
  if (likely > account.max) {
    const by = likely - account.max
    return {
      kind: 'above',
      by,
      words: `The ledger lies ${by} above the account's interval (${interval} calls): it counts more of this run than can be explained`,
    }
  }
  const differences = [
    ...(unmatched.certain > 0 ? [`${digits(unmatched.certain)} answered without a row`] : []),
    ...(matched.notCounted > 0
      ? [
          `${matched.notCounted} taken as not counted with one${refusals.every(isDoubtful) ? ' (doubtful)' : ''}`,
        ]
      : []),
    ...(unexplained.own > 0 ? [`${digits(unexplained.own)} of this run's ids that no attempt explains`] : []),
  ]
  const inside = `The ledger lies in the account's interval (${interval} calls)`
  return differences.length === 0
    ? { kind: 'within', by: 0, words: inside }
    : { kind: 'withinButDiffers', by: 0, words: `${inside}, but not call by call: ${differences.join('; ')}` }
}

const isDoubtful = ({ sureness }: { readonly sureness: Sureness }): boolean => sureness === 'doubtful'

/** By what the attempts came to, most first. */
function refusalsOf(lines: readonly ReconciledCall[]): Reconciliation['countedRefusals'] {
  const found = new Map<string, { counted: number; of: number; sureness: Sureness }>()
  for (const { call, kind, sureness } of lines) {
    if (call?.usage !== 'notCounted') continue
    const known = found.get(call.came) ?? { counted: 0, of: 0, sureness: 'doubtful' as const }
    found.set(call.came, {
      counted: known.counted + (kind === 'matched' ? 1 : 0),
      of: known.of + 1,
      sureness: best(known.sureness, kind === 'matched' ? sureness : undefined),
    })
  }
  return [...found]
    .map(([what, one]) => ({ what, ...one }))
    .filter(({ counted }) => counted > 0)
    .sort((a, b) => b.counted - a.counted || (a.what < b.what ? -1 : 1))
}

const ORDER: readonly Sureness[] = ['sure', 'likely', 'doubtful']

const best = (one: Sureness, other: Sureness | undefined): Sureness =>
  other !== undefined && ORDER.indexOf(other) < ORDER.indexOf(one) ? other : one
