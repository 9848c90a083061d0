// The questions of a journal by their numbers: the first of them in memory, of the others the place of the record.
import type { Question } from '../domain/question.ts'
import { packPlaces } from './packed-places.ts'
import type { Place, RecordPicker } from './read.ts'

/** So many cost some megabytes, and are most sets whole. */
const MOST_HELD = 5000

export interface RecordedQuestions extends Iterable<Question | undefined> {
  readonly length: number
  at(number: number): Question | undefined
  set(number: number, question: Question, place: Place): void
}

/** `pick` reads the journal again, for as long as questions are asked for. */
export function recordedQuestions(pick: RecordPicker['pick']): RecordedQuestions {
  const held: (Question | undefined)[] = []
  const places = packPlaces()
  let length = 0
  const at = (number: number): Question | undefined => {
    if (number < MOST_HELD) return held[number]
    const place = places.at(number)
    const record = place.length === 0 ? undefined : pick(place)
    return record?.kind === 'question' ? record.question : undefined
  }
  return {
    get length() {
      return length
    },
    at: (number) => (number < length ? at(number) : undefined),
    set: (number, question, place) => {
      length = Math.max(length, number + 1)
      if (number < MOST_HELD) held[number] = question
      else places.set(number, place)
    },
    *[Symbol.iterator]() {
      for (let number = 0; number < length; number += 1) yield at(number)
    },
  }
}
