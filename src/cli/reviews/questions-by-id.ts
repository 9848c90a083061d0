// A run's questions by their ids, looked up where they are kept: no question is held for it.
import { NameIndex } from '../../columns/name-index.ts'
import { NumberList } from '../../columns/number-list.ts'
import type { Sequence } from '../../columns/sequence.ts'
import type { Question } from '../../domain/question.ts'
import { forEachInSteps, walk, type Steps } from '../../stats/steps.ts'

export interface QuestionsById {
  readonly get: (id: string) => Question | undefined
  /** Spares the first `get` the reading of all, for who can take his time over it. */
  readonly prepare: () => Steps<void>
}

/** All are read with the first that is asked for, where that was not prepared. Of several with one id the last is given. */
export function questionsById(questions: Sequence<Question | undefined>): QuestionsById {
  let known: { readonly ids: NameIndex; readonly numbers: NumberList } | undefined
  const readAll = function* (): Steps<NonNullable<typeof known>> {
    const [ids, numbers] = [new NameIndex(), new NumberList()]
    let number = 0
    yield* forEachInSteps(questions, (question) => {
      if (question !== undefined) numbers.set(ids.add(question.id), number)
      number += 1
    })
    return { ids, numbers }
  }
  return {
    get: (id) => {
      known ??= walk(readAll())
      const place = known.ids.find(id)
      const question = place === undefined ? undefined : questions.at(known.numbers.at(place))
      return question?.id === id ? question : undefined
    },
    prepare: function* () {
      known ??= yield* readAll()
    },
  }
}
