// Pairing as it is meant, question by question and with texts alone: what the numbers of `pairRuns` are held against.
import type { Pairable } from '../../src/analysis/comparison/pairing/questions.ts'

export interface NaivePairing {
  /** Of each pair, the repeats of both runs; in the candidate's order. */
  readonly paired: readonly (readonly [Pairable[], Pairable[]])[]
  readonly edited: readonly (readonly [Pairable[], Pairable[]])[]
  readonly added: readonly Pairable[][]
  readonly removed: readonly Pairable[][]
  readonly renamed: number
  readonly otherContext: number
}

interface Question {
  readonly first: Pairable
  readonly turns: readonly Pairable[]
  readonly conversation: string
}

export function pairNaively(baseline: readonly Pairable[], candidate: readonly Pairable[]): NaivePairing {
  const [before, after] = [questionsOf(baseline), questionsOf(candidate)]
  const matches = new Map<Question, Question>()
  const isFree = (other: Question): boolean => ![...matches.values()].includes(other)
  const rules: readonly ((one: Question, other: Question) => boolean)[] = [
    (one, other) => one.first.id === other.first.id && one.first.message === other.first.message,
    (one, other) => one.conversation === other.conversation,
    (one, other) => one.first.id === other.first.id,
    (one, other) => placeOf(one.first) === placeOf(other.first),
  ]
  for (const rule of rules)
    for (const one of after) {
      if (matches.has(one)) continue
      const other = before.find((candidateOther) => isFree(candidateOther) && rule(one, candidateOther))
      if (other !== undefined) matches.set(one, other)
    }
  const met = after.flatMap((one) => {
    const other = matches.get(one)
    return other === undefined ? [] : [{ one, other }]
  })
  const same = met.filter(({ one, other }) => one.first.message === other.first.message)
  const others = met.filter(({ one, other }) => one.first.message !== other.first.message)
  const turnsOf = ({ one, other }: (typeof met)[number]): readonly [Pairable[], Pairable[]] => [
    [...other.turns],
    [...one.turns],
  ]
  return {
    paired: same.map(turnsOf),
    edited: others.map(turnsOf),
    added: after.filter((one) => !matches.has(one)).map(({ turns }) => [...turns]),
    removed: before.filter(isFree).map(({ turns }) => [...turns]),
    renamed: same.filter(({ one, other }) => one.first.id !== other.first.id).length,
    otherContext: same.filter(({ one, other }) => one.conversation !== other.conversation).length,
  }
}

const placeOf = ({ file, thread, turn }: Pairable): string => JSON.stringify([file, thread, turn])

function questionsOf(turns: readonly Pairable[]): Question[] {
  const firsts = turns.filter((turn, place) => turns.findIndex(({ id }) => id === turn.id) === place)
  return firsts.map((first) => {
    const thread = firsts
      .filter(({ file, thread: name }) => file === first.file && name === first.thread)
      .toSorted((some, other) => some.turn - other.turn)
    const own = turns.filter(({ id }) => id === first.id)
    const once = own.filter((turn, place) => own.findIndex(({ repeat }) => repeat === turn.repeat) === place)
    return {
      first,
      turns: once.toSorted((some, other) => some.repeat - other.repeat),
      conversation: JSON.stringify(thread.slice(0, thread.indexOf(first) + 1).map(({ message }) => message)),
    }
  })
}
