// What a person does in the workbench: each act is saved as it is made, and heard in other tabs.
import type { NewDecision } from '../../domain/articles.ts'
import type { PageTurn } from '../../domain/conversations.ts'
import type { Review } from '../../domain/review.ts'
import {
  type Acts,
  answerKey,
  type Cells,
  createTable,
  type Decided,
  type Mark,
  markTable,
  NO_MARK,
  openLog,
  rateText,
  recordedDecision,
} from '../../page/acts.ts'
import type { RunView } from '../api.ts'
import { api } from './api.ts'
import type { Heard } from './hooks.ts'

/** `hear` takes up what another tab has saved, `read` what the run has when it is read again. */
export function createSavedActs(
  view: RunView & { readonly isReadOnly: boolean },
  reviewer: () => string,
  changed: (acts: Acts) => void,
) {
  const { reviewed } = view
  const run = reviewed ?? ''
  const log = openLog(() => changed(acts()))
  const marks = markTable(log)
  const decisions = createTable<Decided | undefined>(log, {
    keyOf: questionKey,
    recorded: recordedDecision,
    idOf: (decided) => [decided !== undefined, decided?.article],
  })
  const expected = createTable<readonly string[]>(log, {
    keyOf: ({ id }) => id,
    recorded: () => [],
    idOf: (texts) => texts,
  })
  // A new object makes Preact render again.
  const acts = (): Acts => ({
    markOf: marks.of,
    decisionOn: decisions.of,
    expectedOf: expected.of,
    rate: (turn, mark) => {
      const { id, message, answer } = turn
      const rated = { run, id, message, answer: answer ?? '' }
      marks.act(turn, signed(rateText(marks.of(turn), mark)), mark, async ({ word: review, note }) =>
        api.review.$post({ json: { ...rated, review, note, reviewer: reviewer() } }),
      )
    },
    ...(reviewed !== null && !view.isReadOnly && { decide, expect }),
    last: log.last,
  })
  const signed = (says: string): string =>
    `${says} · ${reviewer()}, ${new Date().toLocaleTimeString([], { timeStyle: 'short' })}`
  const decide = (turn: PageTurn, article: string | null | undefined): void => {
    const { id, message } = turn
    const made = article === undefined ? undefined : { article, by: reviewer(), at: new Date().toISOString() }
    const does = article === null ? 'No article answers it' : 'The article answers it'
    decisions.act(turn, signed(made ? does : 'Decision taken back'), made, async (decided) =>
      api.decide.$post({
        json: { run, id, message, article: decided?.article, reviewer: decided?.by ?? reviewer() },
      }),
    )
  }
  const expect = (turn: PageTurn, cells: Cells): void => {
    const { id, message, file } = turn
    const path = view.sets[file] ?? 'sets/questions.csv'
    const before = expected.of(turn)
    const texts = new Set([...before, ...Object.values(cells).filter((text) => text !== '')])
    let takeBack: (() => Promise<unknown>) | undefined
    expected.act(turn, signed(`Expected in ${path}`), [...texts], async (value) => {
      if (value === before) await takeBack?.()
      else takeBack = await addExpectation(path, view.columns, { id, message, ...cells })
    })
  }
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
    read: (now: RunView, askedAt: number): void => {
      const saved = savedIn(now)
      marks.read(saved.marks, askedAt)
      decisions.read(saved.decisions, askedAt)
      expected.read(saved.expected, askedAt)
    },
  }
}

/** Expects a cell of a question in its set, and resolves with what takes it back. */
async function addExpectation(path: string, columns: readonly string[], cells: Cells) {
  const json = { path, columns: [...columns], cells }
  const { path: set, change } = await (await api.set.add.$post({ json })).json()
  return async () => change && api.set.undo.$post({ json: { path: set, ...change } })
}

function savedIn({ reviews, decisions, expected }: RunView) {
  const marks = new Map<string, Mark>()
  for (const review of reviews) {
    const key = answerKey(review.questionId, review.answer)
    marks.set(key, markOf(review, marks.get(key)))
  }
  const decided = decisions.map((decision) => [questionKey(decision), decidedOf(decision)] as const)
  return { marks, decisions: new Map(decided), expected: new Map(Object.entries(expected)) }
}

/** Merges as the library does: a review that was made here replaces, others add. */
function markOf({ review, note, made }: Review, before = NO_MARK): Mark {
  const word = review ?? null
  return made === undefined ? { word: word ?? before.word, note: note || before.note } : { word, note }
}

const decidedOf = ({ article, by, at }: NewDecision): Decided | undefined =>
  article === undefined ? undefined : { article, by, at }

const questionKey = ({ id, message }: { readonly id: string; readonly message: string }): string =>
  `${id}\n${message}`

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
