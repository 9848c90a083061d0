// The goals of the product, each once: benches print them beside their figures.
import { row } from './measured.ts'

type Goal = readonly [what: string, relation: '≤' | '≥', bound: number, unit: string]

const GOALS = {
  runSeconds: ['400 questions of 50 ms, 8 in flight', '≤', 3.6, 's'],
  memory: ['a run of 100,000 turns, and its report', '≤', 300, 'MB'],
  compareSeconds: ['2 × 10,000 turns compared', '≤', 5, 's'],
  compareMemory: ['2 × 10,000 turns compared', '≤', 200, 'MB'],
  compareLargeSeconds: ['2 × 100,000 turns compared', '≤', 40, 's'],
  compareLargeMemory: ['2 × 100,000 turns compared', '≤', 500, 'MB'],
  help: ['--help, beside node -e 0', '≤', 2.5, '×'],
  firstCall: ['first call, beside node -e 0', '≤', 6, '×'],
  open: ['a page of 20,000 turns opened', '≤', 1000, 'ms'],
  search: ['20,000 turns searched', '≤', 200, 'ms'],
  list: ['the list of 200 runs opened', '≤', 1000, 'ms'],

  articlesSeconds: ['2,000 questions, 5,000 articles', '≤', 15, 's'],
  articlesMemory: ['2,000 questions, 5,000 articles', '≤', 400, 'MB'],
  decided: ['causes decided', '≥', 55, '%'],
  right: ['of the decided right', '≥', 88, '%'],
  printed: ['the printed error from the true one', '≤', 6, 'pts'],
  decidedByVectors: ['causes decided, with vectors', '≥', 73, '%'],
  rightByVectors: ['of the decided right, with vectors', '≥', 93, '%'],
  firstByVectors: ['right article first, with vectors', '≥', 95, '%'],
  decidedAfterPeople: ['others decided, with 20 % by people', '≥', 59, '%'],
  rightAfterPeople: ['of those right', '≥', 92, '%'],
  followUps: ['follow-ups, of the decided right', '≥', 88, '%'],
  lostByMisfits: ['causes lost by wrong articles', '≤', 2, 'pts'],
  misfitRight: ['answers from the right article marked', '≤', 1, '%'],
  misfitRandom: ['answers from any other article marked', '≥', 80, '%'],
  misfitSecond: ['answers from the second nearest marked', '≥', 25, '%'],

  factsClean: ['clean answers flagged', '≤', 3, '%'],
  factsAltered: ['altered answers flagged', '≥', 70, '%'],
  factsForeign: ['foreign answers flagged', '≥', 94, '%'],
  sourceRight: ['likely source named', '≥', 85, '%'],
  sourceWrong: ['wrong source named', '≤', 3, '%'],
  untouched: ['untouched excerpts flagged', '≤', 1, '%'],
  planted: ['planted facts found', '≥', 95, '%'],

  draftLost: ['tickets lost: less than half of their words', '≤', 0, '%'],
  draftKept: ['tickets with 95 % of their words', '≥', 95, '%'],
  draftMissing: ['words of the matter that are missing', '≤', 0, '%'],
  draftMasked: ['personal data masked', '≥', 98, '%'],
  draftHarmless: ['other words masked', '≤', 1, '%'],

  rehearsed: ['answers that an edit changes, listed', '≥', 95, '%'],
  rehearsedList: ['the list, of the set', '≤', 15, '%'],
  oldValues: ['other articles with the old value, named', '≥', 100, '%'],

  bucket: ['bucket 10/s burst 10: 400 calls in 40.5 s', '≥', 98.8, '%'],
  fixedWindow: ['60 per 6 s, of its rate', '≥', 90, '%'],
  smallBurst: ['20/s burst 2, Retry-After in seconds', '≥', 75, '%'],
  ofTheClock: ['100 per 20 s of the clock', '≥', 85, '%'],
  statedRate: ['a stated rate', '≥', 95, '%'],
  refused: ['429s of any of these', '≤', 2, '%'],
  limitWrong: ['searches known and wrong by more than 10 %', '≤', 0, ''],
  limitKnown: ['searches known and right', '≥', 50, '%'],
  farRedis: ['one limit through Redis 60 ms away', '≥', 90, '%'],
  oneKilled: ['one limit, one of three killed', '≥', 80, '%'],
  refusedOfShared: ['429s of a shared limit', '≤', 3, '%'],
} as const satisfies Readonly<Record<string, Goal>>

export type GoalName = keyof typeof GOALS

export function goalOf(name: GoalName): string {
  const [, relation, bound, unit] = GOALS[name]
  return `${relation} ${bound} ${unit}`
}

export function isReached(name: GoalName, figure: number): boolean {
  const [, relation, bound] = GOALS[name]
  return relation === '≤' ? figure <= bound : figure >= bound
}

export function printGoal(name: GoalName, figure: number): void {
  row(GOALS[name][0], figure.toFixed(1), goalOf(name), isReached(name, figure) ? 'reached' : 'missed')
}
