// A run or a comparison: its report with what an editor does in it; while it has none, how far it is.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Review } from '../../domain/review.ts'
import { openApp } from '../../page/app.tsx'
import { type Mark, type Marks, sameKey } from '../../page/reviews.ts'
import { Shell } from '../../page/shell.tsx'
import { openStore, type PageData } from '../../page/store.ts'
import type { RunView, WorkbenchSession } from '../api.ts'
import { get, post, queryOf, Refused } from './api.ts'
import { Frame, type Key, Problem, Waiting } from './frame.tsx'
import { useData, type ViewProps } from './hooks.ts'
import { AskAgain, ExpectFact, Files } from './run-actions.tsx'
import { nameOf } from './run-parts.tsx'
import { ResumeForm, RunWatch } from './watch.tsx'

const KEYS: readonly Key[] = [
  { key: '/', does: 'Search conversations' },
  { key: 'j', does: 'Next conversation' },
  { key: 'k', does: 'Previous conversation' },
  { key: 'n', does: 'Next answer' },
  { key: 'p', does: 'Previous answer' },
  { key: '1', does: 'Rate the answer good' },
  { key: '2', does: 'Rate the answer acceptable' },
  { key: '3', does: 'Rate the answer poor' },
]

export function RunPage({ session, parameters, events }: ViewProps) {
  const path = parameters.get('path') ?? ''
  const { data, error, reload } = useData(async () => get('/api/run', { path }), [path])
  const [moved, setMoved] = useState<RunView['run']>()
  useEffect(
    () =>
      events.listen((event) => {
        const run = event.kind === 'runs' ? event.runs.find((changed) => changed.path === path) : undefined
        if (run?.state === 'running') setMoved(run)
        else if (run !== undefined || event.kind === 'reopened') reload()
      }),
    [path],
  )
  if (data === undefined)
    return (
      <Frame session={session} title="Run" keys={[]} heading="Run">
        {error === undefined ? <Waiting /> : <Problem error={error} />}
      </Frame>
    )
  const title = nameOf(data.run)
  if (data.report !== null)
    return (
      <Frame session={session} title={title} keys={KEYS} isBare>
        <ReportView view={data} report={data.report} session={session} reload={reload} />
      </Frame>
    )
  const isMoving = moved !== undefined && data.run.state === 'running'
  return (
    <Frame session={session} title={title} keys={[]}>
      <RunWatch
        view={isMoving ? { ...data, run: moved } : data}
        isReadOnly={session.isReadOnly}
        resumed={reload}
      />
    </Frame>
  )
}

interface ReportProps {
  readonly session: WorkbenchSession
  readonly view: RunView
  readonly report: PageData
  readonly reload: () => void
}

const NAME_KEY = 'assist-harness reviewer'

function ReportView({ view, report, session, reload }: ReportProps) {
  const [name, setName] = useState(localStorage.getItem(NAME_KEY) ?? session.reviewer)
  const reviewer = useRef(name)
  const now = useRef(session)
  now.current = session
  useLayoutEffect(() => {
    const { contents, turns } = report
    return openApp(
      contents === null ? Promise.resolve(undefined) : openStore(contents, turns),
      (_, changed) => createSavedMarks(view, () => reviewer.current, changed),
      session.isReadOnly
        ? {}
        : {
            ofFound: (found) => <AskAgain view={view} session={now.current} found={found} />,
            ofFact: (turn, fact) => <ExpectFact view={view} turn={turn} fact={fact} />,
          },
    )
  }, [report])
  const { run, reviewed, sets } = view
  const [set] = sets
  return (
    <>
      <section class="toolbar bench-run" aria-label="This run">
        {set === null || set === undefined ? null : (
          <a href={`/set${queryOf({ path: set })}`}>Question set</a>
        )}
        {run.kind === 'run' && !session.isReadOnly ? (
          <>
            <ResumeForm run={run} resumed={reload} />
            <Files run={run.path} />
          </>
        ) : null}
        {reviewed === null ? null : (
          <label>
            Reviewer{' '}
            <input
              value={name}
              onInput={({ currentTarget: { value } }) => {
                reviewer.current = value
                setName(value)
                localStorage.setItem(NAME_KEY, value)
              }}
            />
          </label>
        )}
      </section>
      <Shell document={report.document} />
    </>
  )
}

// ---- Reviews, saved in the run's reviews.csv as they are made

/** `changed` is called after each review, and when one was not saved. The reviewer may change meanwhile. */
function createSavedMarks(
  { reviews, reviewed }: RunView,
  reviewer: () => string,
  changed: () => void,
): Marks {
  const marks = new Map<string, Mark>()
  for (const review of reviews) {
    const key = sameKey(review.questionId, review.answer)
    marks.set(key, markOf(review, marks.get(key)))
  }
  // One after the other, in the order of making.
  let saving: Promise<unknown> = Promise.resolve()
  return {
    of: (turn) => marks.get(sameKey(turn.id, turn.answer ?? '')) ?? turn.review ?? NONE,
    set: (turn, { word, note }) => {
      const { id, message, answer } = turn
      if (reviewed === null || answer === null) return
      const key = sameKey(id, answer)
      marks.set(key, { word, note })
      changed()
      const review = { run: reviewed, id, message, answer, review: word, note }
      saving = saving
        .then(async () => post('/api/review', { ...review, reviewer: reviewer() }))
        .catch((error: unknown) => {
          const fault = error instanceof Refused ? error.message : String(error)
          marks.set(key, { word, note, fault })
          changed()
        })
    },
    count: () => marks.size,
  }
}

const NONE: Mark = { word: null, note: '' }

/** Merges as the library does: a review that was made here replaces, others add. */
function markOf({ review, note, made }: Review, before: Mark = NONE): Mark {
  const word = review ?? null
  return made === undefined ? { word: word ?? before.word, note: note || before.note } : { word, note }
}
