// What became of each question, kept in the bits of a number.
import { CHANGE_KINDS, type ChangeKind } from '../../domain/comparison/change.ts'
import { NumberList } from '../../columns/number-list.ts'
import type { QuestionKinds } from './question-kinds.ts'

/** The bits above those of the kinds. */
const FLAKY_GROUNDING = 2 ** CHANGE_KINDS.length
const FLAKY_VERDICT = FLAKY_GROUNDING * 2

export interface KeptKinds {
  add(kinds: QuestionKinds): void
  /** Of a question in the order of their adding. */
  at(place: number): QuestionKinds
}

export function createKeptKinds(): KeptKinds {
  const kept = new NumberList()
  /** Few mixes of kinds ever come. */
  const known = new Map<number, QuestionKinds>()
  return {
    add: (kinds) => kept.push(encode(kinds)),
    at: (place) => {
      const bits = kept.at(place)
      const kinds = known.get(bits) ?? decode(bits)
      known.set(bits, kinds)
      return kinds
    },
  }
}

const bitOf = (kind: ChangeKind): number => 2 ** CHANGE_KINDS.indexOf(kind)

function encode({ kinds, flakyGrounding, flakyVerdict }: QuestionKinds): number {
  let bits = (flakyGrounding ? FLAKY_GROUNDING : 0) + (flakyVerdict ? FLAKY_VERDICT : 0)
  for (const kind of kinds) bits += bitOf(kind)
  return bits
}

const decode = (bits: number): QuestionKinds => ({
  kinds: CHANGE_KINDS.filter((kind) => (bits & bitOf(kind)) !== 0),
  flakyGrounding: (bits & FLAKY_GROUNDING) !== 0,
  flakyVerdict: (bits & FLAKY_VERDICT) !== 0,
})
