// Articles that vanish or go wrong: a planted drop of known size.
import type { SimulatedQuestion } from './question-set.ts'

export interface Drop {
  /** Share of the questions that it costs on average, 0 to 1: 0.05 is five points. */
  readonly share: number
  /** `verdicts`: answers stay grounded and are wrong; the share is of questions with expectations. */
  readonly of: 'grounding' | 'verdicts'
  /** What goes as one: questions each for itself, whole threads, or threads of one tag after those of another. */
  readonly by: 'question' | 'thread' | 'tag'
}

/**
 * The set after the drop: one article after the other loses its questions, the last in part, until the mean chance has
 * fallen by just so much. In the set's order. Throws where there is less to lose.
 */
export function plantDrop(
  set: readonly SimulatedQuestion[],
  { share, of, by }: Drop,
  random: () => number,
): SimulatedQuestion[] {
  const counted = of === 'grounding' ? set : set.filter(({ passes }) => passes !== undefined)
  let left = share * counted.length
  const after = new Map<string, SimulatedQuestion>()
  for (const question of inOrderOfLoss(counted, by, random)) {
    const { id, grounded, passes } = question
    const value = of === 'grounding' ? grounded : grounded * (passes ?? 0)
    const kept = value - Math.min(value, left)
    left -= value - kept
    after.set(id, {
      ...question,
      ...(of === 'grounding' ? { grounded: kept } : { passes: grounded === 0 ? passes : kept / grounded }),
    })
    if (left <= 0) break
  }
  if (left > 1e-9) throw new Error(`the set has no ${share} to lose`)
  return set.map((question) => after.get(question.id) ?? question)
}

function inOrderOfLoss(
  set: readonly SimulatedQuestion[],
  by: Drop['by'],
  random: () => number,
): SimulatedQuestion[] {
  const places = new Map<string, number>()
  const placeOf = (name: string): number => {
    const place = places.get(name) ?? random()
    places.set(name, place)
    return place
  }
  const keyed = set.map((question) => ({
    question,
    tag: by === 'tag' ? placeOf(`tag ${question.tags.join()}`) : 0,
    thread: placeOf(by === 'question' ? question.id : question.thread),
  }))
  keyed.sort((some, other) => some.tag - other.tag || some.thread - other.thread)
  return keyed.map(({ question }) => question)
}
