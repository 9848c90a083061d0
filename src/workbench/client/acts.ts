// What a person does in the workbench: each act is saved as it is made, and heard in other tabs.
import type { NewDecision } from '../../domain/articles.ts'
import type { Review } from '../../domain/review.ts'
import {
  type Acts,
  answerKey,
  createActs,
  type Decided,
  type Mark,
  NO_MARK,
  questionKey,
} from '../../page/acts.ts'
import type { RunView } from '../api.ts'
import { api } from './api.ts'
import type { Heard } from './hooks.ts'

/** `hear` takes up what another tab has saved, `read` what the run has when it is read again. */
export function createSavedActs(
  { reviewed, sets, columns, isReadOnly }: RunView & { readonly isReadOnly: boolean },
  reviewer: () => string,
  changed: (acts: Acts) => void,
) {
  const run = reviewed ?? ''
  const setOf = ({ file }: { readonly file: number }): string => sets[file] ?? 'sets/questions.csv'
  const { marks, decisions, expected } = createActs(
    {
      reviewer,
      setOf,
      rate: async ({ id, message, answer }, { word: review, note }) => {
        const rated = { run, id, message, answer: answer ?? '', review, note, reviewer: reviewer() }
        return api.review.$post({ json: rated })
      },
      ...(reviewed !== null &&
        !isReadOnly && {
          decide: async ({ id, message }, decided) => {
            const by = decided?.by ?? reviewer()
            return api.decide.$post({ json: { run, id, message, article: decided?.article, reviewer: by } })
          },
          expect: async (turn, cells) => {
            const added = {
              path: setOf(turn),
              columns: [...columns],
              cells: { id: turn.id, message: turn.message, ...cells },
            }
            const { path, change } = await (await api.set.add.$post({ json: added })).json()
            return async () => change && api.set.undo.$post({ json: { path, ...change } })
          },
        }),
    },
    changed,
  )
  return {
    hear: (event: Heard): void => {
      if (event.kind === 'review' && event.run === reviewed) {
        const { questionId, answer } = event.review
        marks.hear(answerKey(questionId, answer), markOf(event.review))
      }
      // They lie beside the runs, and hold for all of them.
      if (event.kind === 'decision' && reviewed !== null && parentOf(event.run) === parentOf(reviewed))
        decisions.hear(questionKey(event.decision), decidedOf(event.decision))
    },
    read: (view: RunView, askedAt: number): void => {
      const made = new Map<string, Mark>()
      for (const review of view.reviews) {
        const key = answerKey(review.questionId, review.answer)
        made.set(key, markOf(review, made.get(key)))
      }
      marks.read(made, askedAt)
      const decided = view.decisions.map((decision) => [questionKey(decision), decidedOf(decision)] as const)
      decisions.read(new Map(decided), askedAt)
      expected.read(new Map(Object.entries(view.expected)), askedAt)
    },
  }
}

/** Merges as the library does: a review that was made here replaces, others add. */
function markOf({ review, note, made }: Review, before = NO_MARK): Mark {
  const word = review ?? null
  return made === undefined ? { word: word ?? before.word, note: note || before.note } : { word, note }
}

const decidedOf = ({ article, by, at }: NewDecision): Decided | undefined =>
  article === undefined ? undefined : { article, by, at }

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
