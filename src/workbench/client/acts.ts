// What a person does with a report in the workbench: each act is saved as it is made, and can be taken back.
import type { NewDecision } from '../../domain/articles.ts'
import type { PageTurn } from '../../domain/conversations.ts'
import type { Review } from '../../domain/review.ts'
import type { Acts, Decided, Done } from '../../page/acts.ts'
import { type Mark, sameKey } from '../../page/reviews.ts'
import type { RunView } from '../api.ts'
import { post, Refused } from './api.ts'
import type { Heard } from './hooks.ts'

interface Options {
  readonly view: RunView
  readonly isReadOnly: boolean
  readonly reviewer: () => string
  /** Called after each act, and when one was not saved. */
  readonly changed: (acts: Acts) => void
}

/**
 * `hear` takes up what another tab has saved, `read` what the run has when it is read again: the last act can
 * still be taken back.
 */
export function createSavedActs({ view, isReadOnly, reviewer, changed }: Options) {
  const log = createLog(reviewer, () => changed(acts()))
  const ratings = createRatings(view, log)
  const decisions = createDecisions(view, log)
  // A new object makes Preact render again.
  const acts = (): Acts => ({
    marks: ratings,
    decisionOn: decisions.on,
    ...(isReadOnly || view.reviewed === null
      ? {}
      : { decide: decisions.decide, expect: expectIn(view, log) }),
    away: isReadOnly ? 'This workbench is read-only.' : undefined,
    last: log.last(),
  })
  const hear = (event: Heard): void => {
    if (event.kind === 'review') ratings.hear(event.run, event.review)
    else if (event.kind === 'decision') decisions.hear(event.run, event.decision)
  }
  const read = (again: RunView): void => {
    ratings.read(again)
    decisions.read(again)
    log.changed()
  }
  return { hear, read }
}

type Log = ReturnType<typeof createLog>

/** Saves one act after the other, in the order of making; `last` is the one that can be taken back. */
function createLog(reviewer: () => string, changed: () => void) {
  let last: Done | undefined
  let saving: Promise<unknown> = Promise.resolve()
  const unsaved: string[] = []
  const did = (turn: PageTurn, says: string, undo: () => void = () => undefined): void => {
    const takeBack = (): void => {
      last = undefined
      undo()
      changed()
    }
    last = { turn, says, undo: takeBack }
  }
  return {
    reviewer,
    changed,
    did,
    last: () => last,
    /** What another tab has done since is not to be undone here. */
    forget: (isMeant: (turn: PageTurn) => boolean): void => {
      if (last !== undefined && isMeant(last.turn)) last = undefined
    },
    /** `Rated poor · Ada, 18:02` */
    said: (says: string): string => {
      const now = new Date().toLocaleTimeString([], { timeStyle: 'short' })
      return `${says} · ${reviewer()}, ${now}`
    },
    /** `key` names what is saved: what another tab does to it meanwhile came before. */
    save: (key: string, send: () => Promise<unknown>, failed: (fault: string) => void): void => {
      unsaved.push(key)
      saving = saving
        .then(send)
        .catch((error: unknown) => {
          const [fault] = error instanceof Refused ? error.faults : []
          failed(fault?.message ?? (error instanceof Refused ? error.message : String(error)))
          changed()
        })
        .finally(() => unsaved.splice(unsaved.indexOf(key), 1))
    },
    isUnsaved: (key: string): boolean => unsaved.includes(key),
  }
}

function createRatings({ reviewed }: RunView, log: Log) {
  const marks = new Map<string, Mark>()
  const of = (turn: PageTurn): Mark => marks.get(sameKey(turn.id, turn.answer ?? '')) ?? turn.review ?? NONE
  const save = (turn: PageTurn, { word, note }: Mark): void => {
    const { id, message, answer } = turn
    if (reviewed === null || answer === null) return
    const key = sameKey(id, answer)
    marks.set(key, { word, note })
    const review = { run: reviewed, id, message, answer, review: word, note, reviewer: log.reviewer() }
    log.save(
      key,
      async () => post('/api/review', review),
      (fault) => marks.set(key, { word, note, fault }),
    )
    log.changed()
  }
  return {
    of,
    count: () => marks.size,
    set: (turn: PageTurn, mark: Mark): void => {
      const before = of(turn)
      // What changes nothing would hide the act before it from undo.
      const isSame = mark.word === before.word && mark.note === before.note
      if (isSame && before.fault === undefined) return
      const rated = mark.word === null ? 'Rating taken back' : `Rated ${mark.word}`
      log.did(turn, log.said(mark.word === before.word ? 'Note saved' : rated), () => save(turn, before))
      save(turn, mark)
    },
    read: ({ reviews }: RunView): void => {
      for (const key of marks.keys()) if (!log.isUnsaved(key)) marks.delete(key)
      const kept = new Set(marks.keys())
      for (const review of reviews) {
        const key = sameKey(review.questionId, review.answer)
        if (!kept.has(key)) marks.set(key, markOf(review, marks.get(key)))
      }
    },
    hear: (run: string, review: Review): void => {
      const key = sameKey(review.questionId, review.answer)
      if (run !== reviewed || log.isUnsaved(key)) return
      const mark = markOf(review)
      const { word, note } = marks.get(key) ?? NONE
      // What this tab has saved is heard, too.
      if (mark.word !== word || mark.note !== note)
        log.forget((turn) => sameKey(turn.id, turn.answer ?? '') === key)
      marks.set(key, mark)
      log.changed()
    },
  }
}

const NONE: Mark = { word: null, note: '' }

/** Merges as the library does: a review that was made here replaces, others add. */
function markOf({ review, note, made }: Review, before: Mark = NONE): Mark {
  const word = review ?? null
  return made === undefined ? { word: word ?? before.word, note: note || before.note } : { word, note }
}

function createDecisions({ reviewed }: RunView, log: Log) {
  const known = new Map<string, NewDecision>()
  const on = (turn: PageTurn): Decided | undefined => {
    const decision = known.get(keyOf(turn))
    if (decision !== undefined) {
      const { article, by, at } = decision
      return article === undefined ? undefined : { article, by, at }
    }
    const { articles } = turn
    if (articles?.kind !== 'gap' || articles.decision === null) return undefined
    const article = articles.cause === 'no-article' ? null : (articles.nearest[0]?.article ?? null)
    return { ...articles.decision, article }
  }
  const save = (turn: PageTurn, article: string | null | undefined, reviewer = log.reviewer()): void => {
    const { id, message } = turn
    if (reviewed === null) return
    const key = keyOf(turn)
    const before = known.get(key)
    known.set(key, { id, message, article, by: reviewer, at: new Date().toISOString() })
    log.save(
      key,
      async () => post('/api/decide', { run: reviewed, id, message, article, reviewer }),
      (fault) => {
        if (before === undefined) known.delete(key)
        else known.set(key, before)
        log.did(turn, `Not saved: ${fault}`)
      },
    )
    log.changed()
  }
  return {
    on,
    decide: (turn: PageTurn, article: string | null | undefined): void => {
      const before = on(turn)
      // What changes nothing would hide the act before it from undo.
      if (article === before?.article) return
      const decided = article === null ? 'No article answers it' : 'The article answers it'
      const says = log.said(article === undefined ? 'Decision taken back' : decided)
      // It is again the decision of whoever made it.
      log.did(turn, says, () => save(turn, before?.article, before?.by ?? undefined))
      save(turn, article)
    },
    read: ({ decisions }: RunView): void => {
      for (const key of known.keys()) if (!log.isUnsaved(key)) known.delete(key)
      const kept = new Set(known.keys())
      for (const decision of decisions) if (!kept.has(keyOf(decision))) known.set(keyOf(decision), decision)
    },
    hear: (run: string, decision: NewDecision): void => {
      const key = keyOf(decision)
      // They lie beside the runs, and hold for all of them.
      if (reviewed === null || parentOf(run) !== parentOf(reviewed) || log.isUnsaved(key)) return
      if (known.get(key)?.article !== decision.article) log.forget((turn) => keyOf(turn) === key)
      known.set(key, decision)
      log.changed()
    },
  }
}

const keyOf = ({ id, message }: { readonly id: string; readonly message: string }): string =>
  `${id}\n${message}`

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

const expectIn =
  ({ sets, columns }: RunView, log: Log): NonNullable<Acts['expect']> =>
  (turn, cells) => {
    const path = sets[turn.file] ?? 'sets/questions.csv'
    const { id, message } = turn
    const add = async (): Promise<void> => {
      const saved = await post('/api/set/add', { path, columns, cells: { id, message, ...cells } })
      const { change } = saved
      // It was expected before: the act before this one can still be taken back.
      if (change === null && log.last() !== undefined) return
      const undo = (): void => {
        if (change !== null)
          log.save(
            path,
            async () => post('/api/set/undo', { path: saved.path, ...change }),
            (fault) => log.did(turn, `Not taken back: ${fault}`),
          )
      }
      log.did(turn, log.said(`Expected in ${saved.path}`), undo)
      log.changed()
    }
    log.save(path, add, (fault) => log.did(turn, `Not saved: ${fault}`))
  }
