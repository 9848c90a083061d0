// Where an index of a run keeps its questions, and where the journal has its answers: in memory, or by their places.
import type { Sequence } from '../columns/sequence.ts'
import type { Question } from '../domain/question.ts'

/** `P` is where the journal keeps a record. */
export interface Keeping<P> {
  readonly places: PlaceList<P>
  readonly questions: QuestionKeeper<P>
}

export interface PlaceList<P> {
  set(number: number, place: P): void
  /** Of a number that was set. */
  at(number: number): P
}

/** By the number that the journal gave them; some may be lost. */
export interface QuestionKeeper<P> extends Sequence<Question | undefined> {
  /** `place`: of the record that holds the question. A later one of its number replaces it. */
  set(number: number, question: Question, place: P): void
}

export function keepInMemory<P>(): Keeping<P> {
  const places: P[] = []
  const questions: (Question | undefined)[] = []
  return {
    places: {
      set: (number, place) => {
        places[number] = place
      },
      at: (number) => places[number] as P,
    },
    questions: {
      get length() {
        return questions.length
      },
      set: (number, question) => {
        questions[number] = question
      },
      at: (number) => questions[number],
      [Symbol.iterator]: () => questions[Symbol.iterator](),
    },
  }
}
