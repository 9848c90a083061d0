// Which question of the candidate is which one of the baseline: by id and text, by conversation, by id, by place.
import type { NumberedQuestions } from './questions.ts'

/** Stands for a question that the other run does not have. */
export const ALONE = -1

/** By the candidate's questions, the baseline's; each is matched once at most. */
export function matchQuestions(before: NumberedQuestions, after: NumberedQuestions): Int32Array {
  const matches = new Int32Array(after.count).fill(ALONE)
  const taken = new Uint8Array(before.count)
  const match = (question: number, other: number | undefined): void => {
    if (other === undefined || taken[other] === 1) return
    taken[other] = 1
    matches[question] = other
  }
  const left = function* (): Generator<number> {
    for (let question = 0; question < after.count; question += 1)
      if (matches[question] === ALONE) yield question
  }
  const vacant = function* (): Generator<number> {
    for (let question = 0; question < before.count; question += 1) if (taken[question] === 0) yield question
  }

  const byId = new Map<number, number>()
  for (const [question, id] of before.ids.entries()) byId.set(id, question)
  const ofId = (question: number): number | undefined => byId.get(after.ids[question] ?? -1)
  for (const question of left()) {
    const other = ofId(question)
    if (other !== undefined && before.messages[other] === after.messages[question]) match(question, other)
  }
  // The same conversation under other names, before an id that has another text now: who inserts a row may number all
  // the others anew. What was asked several times over is taken once each.
  const byPath = new Map<number, number[]>()
  for (const other of vacant()) {
    const path = before.paths[other] ?? 0
    const others = byPath.get(path)
    if (others === undefined) byPath.set(path, [other])
    else others.push(other)
  }
  for (const others of byPath.values()) others.reverse()
  for (const question of left()) match(question, byPath.get(after.paths[question] ?? 0)?.pop())
  for (const question of left()) match(question, ofId(question))
  const byPlace = new Map<number, number>()
  for (const other of vacant()) byPlace.set(before.places[other] ?? 0, other)
  for (const question of left()) match(question, byPlace.get(after.places[question] ?? -1))
  return matches
}
