// Names a group of questions by its terms, written as the questions write them.
import { pairKey } from './features.ts'
import type { Term } from './terms.ts'

const MOST_TERMS = 3
/** A pair of terms is one expression where it stands in this share of the questions that have the commoner of them. */
const TOGETHER = 0.5

/** Terms of each question. `rarityOf`: how telling a key is. Empty where no question has a term. */
export function nameOf(questions: readonly (readonly Term[])[], rarityOf: (key: string) => number): string {
  const inQuestions = new Map<string, number>()
  const surfaces = new Map<string, Map<string, number>>()
  for (const terms of questions) {
    const keys = terms.map(({ key }) => key)
    const pairs = keys.slice(1).map((key, place) => pairKey(keys[place] ?? '', key))
    for (const key of new Set([...keys, ...pairs])) increment(inQuestions, key)
    for (const { key, surface } of terms) {
      const forms = surfaces.get(key) ?? new Map<string, number>()
      surfaces.set(key, forms)
      increment(forms, surface)
    }
  }
  const count = (key: string): number => inQuestions.get(key) ?? 0
  const score = (key: string): number => count(key) * rarityOf(key)
  const isShared = (key: string): boolean => questions.length === 1 || count(key) > 1
  const ranked = [...surfaces.keys()].sort((a, b) => score(b) - score(a) || (a < b ? -1 : 1))
  // One shared term alone names little ("fish"): the most telling of the others stand beside it.
  const shared = ranked.filter(isShared)
  const most = shared.length >= 2 ? shared.length : MOST_TERMS
  const top = [...shared, ...ranked.filter((key) => !isShared(key))].slice(0, Math.min(most, MOST_TERMS))
  const areTogether = (a: string, b: string): boolean =>
    count(pairKey(a, b)) >= TOGETHER * Math.max(count(a), count(b))
  return joinExpressions(top, areTogether)
    .map((keys) => keys.map((key) => mostFrequent(surfaces.get(key))).join(' '))
    .join(', ')
}

/** The terms in their order, each with those that stand right before or behind it in most questions. */
function joinExpressions(
  keys: readonly string[],
  areTogether: (a: string, b: string) => boolean,
): string[][] {
  const expressions: string[][] = []
  for (const key of keys) {
    const before = expressions.find((one) => areTogether(one.at(-1) ?? '', key))
    const behind = expressions.find((one) => areTogether(key, one[0] ?? ''))
    if (before !== undefined) before.push(key)
    else if (behind !== undefined) behind.unshift(key)
    else expressions.push([key])
  }
  return expressions
}

function mostFrequent(forms: ReadonlyMap<string, number> = new Map()): string {
  const [first] = [...forms].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return first?.[0] ?? ''
}

const increment = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
