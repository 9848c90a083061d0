// How the endpoint stood a load test, in one word: what the first sentence of every report says.
import type { LoadReport } from '../domain/load/load-report.ts'

/** A share of threads or calls from which on the test is about that. */
const MATTERS = 0.01

export type LoadJudgement =
  'nothingOffered' | 'silent' | 'generator' | 'behind' | 'refused' | 'failing' | 'kept'

type Judged = Pick<LoadReport, 'generator' | 'dropped' | 'pacing' | 'errors' | 'turns' | 'offered'>

/** Nothing is said of an endpoint that this machine could not load; else the largest share that matters is named. */
export function judgementOf({ generator, dropped, pacing, errors, turns, offered }: Judged): LoadJudgement {
  if (offered.threads === 0) return 'nothingOffered'
  if (generator.limited) return 'generator'
  if (turns.answered === 0) return 'silent'
  const shares = [
    ['failing', errors.rate ?? 0],
    ['refused', pacing.rate429 ?? 0],
    ['behind', dropped.rate ?? 0],
  ] as const
  const [worst, share] = shares.reduce((most, one) => (one[1] > most[1] ? one : most))
  return share > MATTERS ? worst : 'kept'
}
