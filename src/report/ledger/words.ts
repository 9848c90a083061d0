// What was counted of a run, in words: the table and the sentences that the screen and summary.md share.
import type { Reconciliation } from '../../domain/reconciliation.ts'
import { digits, plural } from '../../domain/digits.ts'
import { duration } from '../numbers.ts'

type Classes = Reconciliation['unmatched']

/** Rows of the table, its header first: a row a class of the account. */
export function classRows({ account, matched, unmatched, inTotals }: Reconciliation): string[][] {
  const hasTotals = total(inTotals) > 0
  const row = (label: string, name: keyof Classes): string[] => [
    label,
    String(account[name]),
    String(matched[name]),
    String(unmatched[name]),
    ...(hasTotals ? [String(inTotals[name])] : []),
    meaningOf(name, unmatched[name], matched.bySureness),
  ]
  return [
    ['account', 'attempts', 'in the ledger', 'not in it', ...(hasTotals ? ['in totals'] : []), ''],
    row('certain', 'certain'),
    row('possible', 'possible'),
    row('not counted', 'notCounted'),
  ]
}

function meaningOf(
  name: keyof Classes,
  missing: number,
  bySureness: Reconciliation['matched']['bySureness'],
): string {
  const { sure, likely, doubtful } = bySureness
  switch (name) {
    case 'certain':
      return missing === 0 ? '' : `${digits(missing)} answered, and the endpoint did not count them`
    case 'possible':
      return [
        ...(sure.possible > 0 ? [`${wereOrWas(sure.possible)} counted`] : []),
        ...(likely.possible > 0 ? [`${wereOrWas(likely.possible)} probably counted, by their time`] : []),
        ...(doubtful.possible > 0
          ? [`${digits(doubtful.possible)} may have been (other rows fit as well)`]
          : []),
        ...(missing > 0 ? [`${wereOrWas(missing)} not`] : []),
      ].join(', ')
    case 'notCounted':
      if (sure.notCounted > 0) return 'WRONGLY taken as not counted'
      return likely.notCounted + doubtful.notCounted > 0 ? 'perhaps wrongly taken as not counted' : ''
  }
}

const total = ({ certain, possible, notCounted }: Classes): number => certain + possible + notCounted

/** Nothing of it is safe to print yet: the names of files and columns are anybody's. */
export function ledgerSentences(result: Reconciliation): string[] {
  const { unexplained, ledger, elsewhere, counted, totals, buckets } = result
  const odd = buckets.filter(({ verdict }) => verdict !== 'within').length
  return [
    counted.min === counted.max
      ? `Counted of this run: ${plural(counted.min, 'call')}`
      : `Counted of this run: ${digits(counted.min)} to ${plural(counted.max, 'call')}`,
    ...(unexplained.own > 0
      ? [
          `${plural(unexplained.own, 'counted call')} with ids of this run that no attempt explains: is a column of units taken for calls (count=none)?`,
        ]
      : []),
    ...(unexplained.others > 0
      ? [
          `${plural(unexplained.others, 'counted call')} in the run's time that no attempt explains: other traffic of the organization, or unknown`,
        ]
      : []),
    ...(totals > 0
      ? [
          `${plural(totals, 'call')} in totals${buckets.length === 0 ? '' : `, ${plural(buckets.length, 'stretch', 'stretches')} of time compared, ${digits(odd)} outside the account`}`,
        ]
      : []),
    `${plural(ledger.total, 'counted call')} in the ledger: ${digits(ledger.inSpan)} in the run's time, ${digits(ledger.before)} before, ${digits(ledger.after)} after${ledger.between > 0 ? `, ${digits(ledger.between)} in its pauses` : ''}${ledger.untimed > 0 ? `, ${digits(ledger.untimed)} without a time` : ''}${elsewhere > 0 ? ` (${digits(elsewhere)} not looked at)` : ''}`,
    howMatched(result),
    clockSentence(result),
    ...result.files.map(fileSentence),
  ]
}

export function refusalSentences({ countedRefusals }: Reconciliation): string[] {
  return countedRefusals.map(({ what, counted, of, sureness }) => {
    const mend = what.startsWith('HTTP 4') ? ' (--count-rejected drops it)' : ''
    return `${WRONG[sureness]}: ${digits(counted)} of ${plural(of, 'attempt')} taken as not counted (${what}) ${areOrIs(counted)} in the ledger${mend}`
  })
}

const WRONG = {
  sure: 'The assumption is wrong',
  likely: 'The assumption is probably wrong',
  doubtful: 'The assumption may be wrong',
} as const

const areOrIs = (count: number): string => (count === 1 ? 'is' : 'are')
const wereOrWas = (count: number): string => `${digits(count)} ${count === 1 ? 'was' : 'were'}`

function howMatched({ matched: { byMethod } }: Reconciliation): string {
  const ways = [
    ['conversation id', byMethod.conversation],
    ['end user', byMethod.user],
    ['time alone', byMethod.time],
  ] as const
  const used = ways.filter(([, counts]) => total(counts ?? NOBODY) > 0)
  if (used.length === 0) return 'No call was matched one by one'
  return `Matched by ${used.map(([way, counts]) => `${way} ${digits(total(counts ?? NOBODY))}`).join(', by ')}`
}

const NOBODY: Classes = { certain: 0, possible: 0, notCounted: 0 }

const MEANS = {
  conversation: 'by conversation ids',
  user: 'by end users',
  alignment: 'by how the times fit best',
} as const

function clockSentence({ clock, toleranceMs }: Reconciliation): string {
  const slack = `times may be off by ${duration(toleranceMs)} beside that`
  const size = Math.abs(clock.offsetMs)
  const words =
    size === 0
      ? 'taken as equal to ours'
      : `${duration(size)} ${clock.offsetMs > 0 ? 'ahead of' : 'behind'} ours${isZone(clock) ? ', which looks like a time zone (--ledger-zone)' : ''}`
  switch (clock.from) {
    case 'none':
      return `The ledger's clock is ${words}: nothing tells how it stands; ${slack}`
    case 'given':
      return `The ledger's clock is ${words}, as given; ${slack}`
    case 'conversation':
    case 'user':
    case 'alignment':
      return `The ledger's clock is ${words}, ${MEANS[clock.from]} (${digits(clock.agree)} of ${digits(clock.of)} agree, within ${duration(clock.uncertaintyMs)}); ${slack}`
  }
}

/** Zones lie quarters of an hour apart. */
function isZone({ offsetMs }: Reconciliation['clock']): boolean {
  const quarter = 900_000
  const rest = Math.abs(offsetMs - Math.round(offsetMs / quarter) * quarter)
  return Math.abs(offsetMs) > quarter / 2 && rest < 60_000
}

function fileSentence({
  name,
  rows,
  columns,
  guessed,
  notCounting,
  stepMs,
  zone,
}: Reconciliation['files'][number]): string {
  const roles = Object.entries(columns).map(
    ([role, column]) => `${role}=${column}${guessed.some((one) => one === role) ? ' (guessed)' : ''}`,
  )
  const steps =
    stepMs === null
      ? 'no times'
      : stepMs >= 60_000
        ? `totals by ${duration(stepMs)}`
        : `times by ${stepMs < 1000 ? 'the millisecond' : 'the second'}`
  return [
    `${name}: ${plural(rows, 'row')}, ${roles.join(', ') || 'no columns read'}`,
    steps,
    ...(zone === null ? [] : [`times without a zone taken as ${zone}`]),
    ...(notCounting === 0 ? [] : [`${plural(notCounting, 'row')} not counting`]),
  ].join('; ')
}
