// Adds a question that was asked to a set, with the questions before it and one expectation.
import { useState } from 'preact/hooks'
import { plural } from '../../domain/format.ts'
import { Button, Icon } from '../../page/controls.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { Asked } from '../api.ts'
import { api, queryOf } from './api.ts'
import { Select, TextField } from './fields.tsx'
import { Problem } from './frame.tsx'
import { useAction } from './hooks.ts'

const EXPECTATIONS = [
  ['', 'anything'],
  ['expect_source', 'to come from'],
  ['expect_contains', 'to contain'],
  ['expect_not_contains', 'not to contain'],
] as const

/** People call their own set questions; a run is known by the name of its set. */
const NEW_SET = 'sets/asked.csv'

interface Props {
  /** The question that is added is the last one. */
  readonly conversation: readonly Asked[]
  readonly sets: readonly string[]
}

export function AddToSet({ conversation, sets }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [addedTo, setAddedTo] = useState<string>()
  if (isOpen)
    return (
      <AddForm
        conversation={conversation}
        sets={sets}
        done={(path) => {
          setAddedTo(path)
          setIsOpen(false)
        }}
      />
    )
  return (
    <p class="line acts">
      <Button act={() => setIsOpen(true)}>Add to set</Button>
      {addedTo === undefined ? null : (
        <span class="good" role="status">
          <Icon name="check" /> Added to{' '}
          <a href={`/set${queryOf({ path: addedTo })}`}>
            <Untrusted text={addedTo} max={120} />
          </a>
        </span>
      )}
    </p>
  )
}

interface FormProps extends Props {
  /** Undefined where it was cancelled. */
  readonly done: (path: string | undefined) => void
}

function AddForm({ conversation, sets, done }: FormProps) {
  const [path, setPath] = useState('')
  const [column, setColumn] = useState('')
  const [text, setText] = useState('')
  const adding = useAction()
  const source = conversation.at(-1)?.turn.source ?? ''
  const submit = (event: Event): void => {
    event.preventDefault()
    adding.act(async () => {
      let made = path.trim() || NEW_SET
      for (const cells of cellsOf(conversation, column === '' ? {} : { [column]: text }))
        made = (await (await api.set.add.$post({ json: { path: made, columns: [], cells } })).json()).path
      done(made)
    })
  }
  return (
    <form class="form" aria-label="Add to set" onSubmit={submit}>
      {conversation.length === 1 ? null : (
        <p class="quiet">With {plural(conversation.length - 1, 'question')} before it.</p>
      )}
      <div class="fields">
        <TextField
          label="Set, or the name of a new one"
          placeholder={NEW_SET}
          list={sets.filter((set) => set.endsWith('.csv'))}
          value={path}
          set={setPath}
        />
        <Select
          label="Expect the answer"
          value={column}
          choose={(value) => {
            setColumn(value)
            setText(value === 'expect_source' ? source : '')
          }}
          options={EXPECTATIONS}
        />
        {column === '' ? null : (
          <TextField
            label={column === 'expect_source' ? 'A source' : 'A word or a fact'}
            value={text}
            set={setText}
          />
        )}
      </div>
      <Problem error={adding.error} />
      <div class="line acts">
        <button class="button primary" disabled={adding.isBusy || (column !== '' && text === '')}>
          Add
        </button>
        <Button act={() => done(undefined)}>Cancel</Button>
      </div>
    </form>
  )
}

/** Each question is a row, in order. The expectation belongs to the last. */
const cellsOf = (conversation: readonly Asked[], expectation: Readonly<Record<string, string>>) =>
  conversation.map(({ conversation: thread, turn: { message } }, index) => ({
    message,
    ...(conversation.length === 1 ? {} : { thread: `ask-${thread.slice(0, 8)}`, turn: String(index + 1) }),
    ...(index === conversation.length - 1 ? expectation : {}),
  }))
