// How far a search for the limit is: what it tries, what it has used of its budget, what it knows so far.
import type { JournalRecord } from '../../domain/journal.ts'
import { wasRefused } from '../../domain/limit-fate.ts'
import type { LimitFinding } from '../../domain/limit-finding.ts'
import { findingWords } from '../../report/limit-words.ts'
import { digits } from '../../domain/digits.ts'
import { duration } from '../../report/numbers.ts'
import { fit } from '../../report/wrap.ts'
import type { ExperimentName } from '../../runner/find-limit/experiment.ts'
import type { Progress } from '../progress.ts'

/** What the search is at, as it knows it itself. */
export interface SearchSight {
  readonly trying: () => ExperimentName | undefined
  /** As it was judged last. */
  readonly finding: () => LimitFinding | undefined
}

const TRIES: Readonly<Record<ExperimentName, string>> = {
  burst: 'asks as fast as it may until a call is refused',
  probe: 'looks when the limit opens again',
  sit: 'asks evenly, near the rate it expects',
  rest: 'waits for the window to turn',
}

export function createSearchProgress(budget: number, sight: SearchSight): Progress {
  let [sent, ended, refused] = [0, 0, 0]
  let startedAt: number | undefined
  const note = (record: JournalRecord): void => {
    if (record.kind === 'intent') {
      startedAt ??= record.at
      sent += 1
    }
    if (record.kind !== 'result') return
    ended += 1
    if (wasRefused(record.result) === true) refused += 1
  }
  const counts = (now: number): string => {
    const took = startedAt === undefined ? [] : [duration(Math.max(0, now - startedAt))]
    return [
      ...took,
      `${digits(sent)} of ${digits(budget)} calls`,
      `${digits(refused)} refused (429)`,
      `${digits(sent - ended)} in flight`,
    ].join(', ')
  }
  const knows = (): string => {
    const name = sight.trying()
    const finding = sight.finding()
    const so =
      finding === undefined || finding.kind === 'unknown' ? 'nothing is known' : findingWords(finding)
    return `${name === undefined ? '' : `${TRIES[name]}; `}so far: ${so}`
  }
  return {
    note,
    describe: (now) => `${counts(now)}; ${knows()}`,
    draw: (now, columns) => [fit(counts(now), columns), fit(knows(), columns)],
  }
}
