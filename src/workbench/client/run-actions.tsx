// What an editor does with a report: ask questions again, add expectations to the set, take the files along.
import { useState } from 'preact/hooks'
import type { DoubtfulFact } from '../../domain/articles.ts'
import type { PageTurn } from '../../domain/conversations.ts'
import { digits, plural } from '../../domain/format.ts'
import type { Found } from '../../page/store.ts'
import { hrefOf, Untrusted } from '../../page/text.tsx'
import type { ReportFiles, RunView, WorkbenchSession } from '../api.ts'
import { post, queryOf, runAddress } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction } from './hooks.ts'

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
  const chosen = able.some(({ name }) => name === target) ? target : (able[0]?.name ?? '')
  const [questions, calls] = costOf(found)
  if (reviewed === null || questions.length === 0 || session.isReadOnly) return null
  return (
    <span class="again">
      <button
        type="button"
        disabled={asking.isBusy || chosen === ''}
        onClick={() =>
          asking.act(async () => {
            const { path } = await post('/api/again', { run: reviewed, ids: questions, target: chosen })
            location.assign(`${runAddress(path)}${hrefOf({ find: 'is:changed' })}`)
          })
        }
      >
        Ask again: {plural(questions.length, 'question')}, {plural(calls, 'call')}
      </button>
      {able.length < 2 ? null : (
        <select
          aria-label="Target"
          value={chosen}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
        >
          {able.map(({ name }) => (
            <option>{name}</option>
          ))}
        </select>
      )}
      <Problem error={asking.error} />
    </span>
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

interface ExpectProps {
  readonly view: RunView
  readonly turn: PageTurn
  readonly fact: DoubtfulFact
}

/** Makes a fact that no article bears out an expectation of its question. */
export function ExpectFact({ view: { sets, run }, turn, fact }: ExpectProps) {
  const adding = useAction()
  const [added, setAdded] = useState<string>()
  const set = setFor(sets[turn.file], run.sets[turn.file])
  const expect = (cells: Readonly<Record<string, string>>) => (): void =>
    adding.act(async () => {
      const question = { id: turn.id, message: turn.message }
      setAdded((await post('/api/set/add', { path: set, cells: { ...question, ...cells } })).path)
    })
  if (added !== undefined)
    return (
      <small class="good" role="status">
        added to{' '}
        <a href={`/set${queryOf({ path: added })}`}>
          <Untrusted text={added} max={80} />
        </a>
      </small>
    )
  return (
    <span class="expect">
      <button
        type="button"
        class="link"
        disabled={adding.isBusy}
        title={`Adds to ${set}: the answer must not contain it`}
        onClick={expect({ expect_not_contains: fact.text })}
      >
        must not say it
      </button>
      {fact.instead === null ? null : (
        <button
          type="button"
          class="link"
          disabled={adding.isBusy}
          title={`Adds to ${set}: the answer must contain what the article says`}
          onClick={expect({ expect_contains: fact.instead.text })}
        >
          must say <Untrusted text={fact.instead.text} max={40} />
        </button>
      )}
      <Problem error={adding.error} />
    </span>
  )
}

/** A set that cannot be written is replaced by one of that name in the folder. */
const setFor = (path: string | null | undefined, name = 'questions.csv'): string =>
  path === null || path === undefined || path.startsWith('shipped/') || !path.endsWith('.csv')
    ? `sets/${name.replace(/\.[^.]+$/, '')}.csv`
    : path

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
          {path.split('/').at(-1)} <small class="muted">{digits(Math.ceil(bytes / 1024))} KB</small>
        </a>
      ))}
      <Problem error={writing.error} />
    </>
  )
}
