// What an editor does with a report: ask questions again, take the files along.
import { useState } from 'preact/hooks'
import { digits, plural } from '../../domain/format.ts'
import type { PageTurn } from '../../domain/conversations.ts'
import type { ListedRun } from '../../domain/listed-run.ts'
import { compareTexts, showActing } from '../../domain/text.ts'
import type { Acts } from '../../page/acts.ts'
import type { Found } from '../../page/store.ts'
import type { ReportFiles, RunView, WorkbenchSession } from '../api.ts'
import { post, queryOf, runAddress } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction } from './hooks.ts'
import { nameOf } from './run-parts.tsx'

interface AgainProps {
  readonly view: RunView
  readonly session: WorkbenchSession
  readonly found: readonly Found[]
}

/** Says what it costs, then asks in a run of its own, whose report shows old and new answers. */
export function AskAgain({ view: { reviewed, run }, session, found }: AgainProps) {
  const asking = useAction()
  const [target, setTarget] = useState(run.target)
  const able = session.targets.filter(({ problem }) => problem === null)
  // Another desk would answer otherwise: it is chosen by hand.
  const chosen = able.find(({ name }) => name === target)?.name ?? ''
  const [questions, calls] = costOf(found)
  if (reviewed === null || questions.length === 0 || session.isReadOnly) return null
  return (
    <span class="acts">
      <button
        type="button"
        class="button"
        disabled={asking.isBusy || chosen === ''}
        onClick={() =>
          asking.act(async () => {
            const { path } = await post('/api/again', { run: reviewed, ids: questions, target: chosen })
            location.assign(`${runAddress(path)}#conversations`)
          })
        }
      >
        Ask again: {plural(questions.length, 'question')}, {plural(calls, 'call')}
      </button>
      {able.length < 2 && chosen !== '' ? null : (
        <select
          class="input"
          aria-label="Target"
          value={chosen}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
        >
          {chosen === '' ? <option value="">Choose a target…</option> : null}
          {able.map(({ name }) => (
            <option>{name}</option>
          ))}
        </select>
      )}
      <Problem error={asking.error} />
    </span>
  )
}

interface OtherProps extends Pick<AgainProps, 'view'> {
  readonly turn: PageTurn
  readonly acts: Acts
}

/** The one that answers may be none of the candidates, which are found by their words. */
export function OtherArticle({ view: { articles }, turn, acts: { decide, decisionOn, away } }: OtherProps) {
  if (decide === undefined || articles.length === 0) return null
  return (
    <select
      class="input"
      aria-label="Another article answers it"
      disabled={away !== undefined}
      value={decisionOn(turn)?.article ?? ''}
      onChange={({ currentTarget }) => {
        decide(turn, currentTarget.value)
        // The keys act on the answer again.
        currentTarget.blur()
      }}
    >
      <option value="" disabled>
        Another article answers it…
      </option>
      {articles
        .toSorted((a, b) => compareTexts(a.title, b.title))
        .map(({ article, title }) => (
          <option value={article}>{showActing(title)}</option>
        ))}
    </select>
  )
}

/** The questions take calls for those before them in their conversations, too. */
function costOf(found: readonly Found[]) {
  const ids = new Set<string>()
  const sent = new Set<string>()
  for (const { conversation, turns } of found) {
    const last = conversation.findLastIndex((turn) => turns.includes(turn))
    for (const turn of turns) ids.add(turn.id)
    for (const turn of conversation.slice(0, last + 1)) sent.add(turn.id)
  }
  return [[...ids], sent.size] as const
}

/** An empty name gives back that of the folder. The list and other tabs hear of it. */
export function NameField({ run }: { readonly run: ListedRun }) {
  const naming = useAction()
  return (
    <label class="field">
      <span>Name of this run</span>
      <input
        class="input"
        maxLength={120}
        placeholder={run.path}
        defaultValue={nameOf(run)}
        onChange={({ currentTarget: { value } }) =>
          naming.act(async () => void (await post('/api/name', { run: run.path, name: value })))
        }
      />
      <Problem error={naming.error} />
    </label>
  )
}

/** Writes the reports with what was reviewed since, and offers them. */
export function Files({ run }: { readonly run: string }) {
  const writing = useAction()
  const [files, setFiles] = useState<ReportFiles['files']>()
  return (
    <>
      <button
        type="button"
        disabled={writing.isBusy}
        onClick={() => writing.act(async () => setFiles((await post('/api/report', { run })).files))}
      >
        {writing.isBusy ? 'Writing…' : 'Files'}
      </button>
      {files?.map(({ path, bytes }) => (
        <a href={`/file${queryOf({ path })}`} download="">
          {path.split('/').at(-1)} <small>{digits(Math.ceil(bytes / 1024))} KB</small>
        </a>
      ))}
      <Problem error={writing.error} />
    </>
  )
}
