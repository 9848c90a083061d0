// What an editor does with a report: ask questions again, take the files along.
import { useState } from 'preact/hooks'
import { plural } from '../../domain/format.ts'
import type { PageTurn } from '../../domain/conversations.ts'
import type { ListedRun } from '../../domain/listed-run.ts'
import { compareTexts, showActing } from '../../domain/text.ts'
import { useDesk } from '../../page/acts.ts'
import type { Found } from '../../page/store.ts'
import type { RunView, WorkbenchSession } from '../api.ts'
import { api, queryOf, runAddress } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction } from './hooks.ts'
import { fileName, nameOf } from './run-parts.tsx'
import { TargetSelect } from './start-form.tsx'
import { Button } from '../../page/controls.tsx'

interface AgainProps {
  readonly view: RunView
  readonly session: WorkbenchSession
  readonly found: readonly Found[]
}

/** Says what it costs, then asks in a run of its own, whose report shows old and new answers. */
export function AskAgain({ view: { reviewed, run }, session, found }: AgainProps) {
  const asking = useAction()
  const able = session.targets.filter(({ problem }) => problem === null)
  // Another desk would answer otherwise: it is chosen by hand.
  const [target, setTarget] = useState(able.find(({ name }) => name === run.target))
  // The questions take calls for those before them in their conversations, too.
  const ids = [...new Set(found.flatMap(({ turns }) => turns.map(({ id }) => id)))]
  const sent = found.flatMap(({ conversation, turns }) =>
    conversation.slice(0, conversation.findLastIndex((turn) => turns.includes(turn)) + 1),
  )
  const calls = new Set(sent.map(({ id }) => id)).size
  if (reviewed === null || ids.length === 0 || session.isReadOnly) return null
  return (
    <span class="line">
      <Button
        disabled={asking.isBusy || target === undefined}
        act={() =>
          asking.act(async () => {
            if (target === undefined) return
            const { path } = await (
              await api.again.$post({ json: { run: reviewed, ids, target: target.name } })
            ).json()
            location.assign(`${runAddress(path)}#find=is:changed`)
          })
        }
      >
        Ask again: {plural(ids.length, 'question')}, {plural(calls, 'call')}
      </Button>
      {able.length < 2 && target !== undefined ? null : (
        <TargetSelect
          label={<span class="off-screen">Target</span>}
          targets={able}
          chosen={target}
          choose={setTarget}
        />
      )}
      <Problem error={asking.error} />
    </span>
  )
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
          naming.act(async () => api.name.$post({ json: { run: run.path, name: value } }))
        }
      />
      <Problem error={naming.error} />
    </label>
  )
}

interface OtherProps {
  readonly articles: RunView['articles']
  readonly turn: PageTurn
}

/** The one that answers may be none of the candidates, which are found by their words. */
export function OtherArticle({ articles, turn }: OtherProps) {
  const { decide, decisionOn, away } = useDesk().acts
  if (decide === undefined || articles.length === 0) return null
  return (
    <select
      class="input"
      aria-label="Another article answers it"
      disabled={away !== undefined}
      value={decisionOn(turn)?.article ?? ''}
      onKeyDown={(event) => {
        // A closed list would take the first article of each letter.
        const isChoice = event.key.length === 1 || event.key.startsWith('Arrow')
        if (!isChoice || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        event.currentTarget.showPicker()
      }}
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

/** Writes the reports with what was reviewed since, and offers them. */
export function Files({ run }: { readonly run: string }) {
  const writing = useAction()
  const [files, setFiles] = useState<readonly string[]>([])
  const write = async () => setFiles((await (await api.report.$post({ json: { run } })).json()).files)
  return (
    <>
      <button type="button" disabled={writing.isBusy} onClick={() => writing.act(write)}>
        {writing.isBusy ? 'Writing…' : 'Files'}
      </button>
      {files.map((path) => (
        <a href={`/file${queryOf({ path })}`} download="">
          {fileName(path)}
        </a>
      ))}
      <Problem error={writing.error} />
    </>
  )
}
