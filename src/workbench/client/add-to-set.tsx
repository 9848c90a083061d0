// Adds a question that was asked to a set, with the questions before it and one expectation.
import { useId, useState } from 'preact/hooks'
import { digits } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { Icon } from '../../page/icons.tsx'
import { Untrusted } from '../../page/text.tsx'
import type { Asked } from '../api.ts'
import { post, queryOf } from './api.ts'
import { Problem } from './frame.tsx'
import { useAction } from './hooks.ts'

const LABELS = {
  none: 'anything',
  expect_source: 'to come from',
  expect_contains: 'to contain',
  expect_not_contains: 'not to contain',
} as const

interface Expectation {
  readonly column: keyof typeof LABELS
  readonly text: string
}

const NEW_SET = 'sets/questions.csv'

interface Props {
  /** The question that is added is the last one. */
  readonly conversation: readonly Asked[]
  readonly sets: readonly string[]
}

export function AddToSet({ conversation, sets }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [addedTo, setAddedTo] = useState<string>()
  const added = (path: string): void => {
    setAddedTo(path)
    setIsOpen(false)
  }
  if (isOpen)
    return <AddForm conversation={conversation} sets={sets} added={added} cancel={() => setIsOpen(false)} />
  return (
    <p class="acts">
      <button type="button" class="button" onClick={() => setIsOpen(true)}>
        Add to set
      </button>
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
  readonly added: (path: string) => void
  readonly cancel: () => void
}

function AddForm({ conversation, sets, added, cancel }: FormProps) {
  const files = sets.filter((set) => set.endsWith('.csv'))
  const [path, setPath] = useState(files.includes(NEW_SET) ? NEW_SET : '')
  const [expectation, setExpectation] = useState<Expectation>({ column: 'none', text: '' })
  const adding = useAction()
  const list = useId()
  const submit = (event: Event): void => {
    event.preventDefault()
    adding.act(async () => {
      let made = path.trim() || NEW_SET
      for (const cells of cellsOf(conversation, expectation))
        made = (await post('/api/set/add', { path: made, columns: [], cells })).path
      added(made)
    })
  }
  return (
    <form class="add" aria-label="Add to set" onSubmit={submit}>
      {conversation.length === 1 ? null : (
        <p class="quiet">
          {conversation.length === 2
            ? 'With the question before it.'
            : `With the ${digits(conversation.length - 1)} questions before it.`}
        </p>
      )}
      <div class="fields">
        <label class="field">
          <span>Set, or the name of a new one</span>
          <input
            class="input"
            list={list}
            placeholder={NEW_SET}
            value={path}
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
          <datalist id={list}>
            {files.map((file) => (
              <option value={file} />
            ))}
          </datalist>
        </label>
        <ExpectationFields conversation={conversation} expectation={expectation} change={setExpectation} />
      </div>
      <Problem error={adding.error} />
      <div class="acts">
        <button class="button primary" disabled={adding.isBusy}>
          Add
        </button>
        <button type="button" class="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}

interface ExpectationProps {
  readonly conversation: readonly Asked[]
  readonly expectation: Expectation
  readonly change: (expectation: Expectation) => void
}

function ExpectationFields({ conversation, expectation: { column, text }, change }: ExpectationProps) {
  const list = useId()
  const { source = null, answer = null } = conversation.at(-1)?.turn ?? {}
  const choose = (chosen: Expectation['column']): void =>
    change({ column: chosen, text: chosen === 'expect_source' ? (source ?? '') : selectedText() })
  return (
    <>
      <label class="field">
        <span>Expect the answer</span>
        <select
          class="input"
          value={column}
          onChange={({ currentTarget }) => choose(currentTarget.value as Expectation['column'])}
        >
          {Object.entries(LABELS)
            .filter(([value]) => value !== 'expect_source' || source !== null)
            .map(([value, label]) => (
              <option value={value}>
                {label} {value === 'expect_source' ? showActing(source ?? '') : ''}
              </option>
            ))}
        </select>
      </label>
      {column === 'none' || column === 'expect_source' ? null : (
        <label class="field">
          <span>A word or a fact</span>
          <input
            class="input"
            required
            list={list}
            value={text}
            onInput={({ currentTarget }) => change({ column, text: currentTarget.value })}
          />
          <datalist id={list}>
            {factsOf(answer ?? '').map((fact) => (
              <option value={fact} />
            ))}
          </datalist>
        </label>
      )}
    </>
  )
}

/** Each question is a row, in order. The expectation belongs to the last. */
const cellsOf = (conversation: readonly Asked[], { column, text }: Expectation) =>
  conversation.map(({ conversation: thread, turn: { message } }, index) => ({
    message,
    ...(conversation.length === 1 ? {} : { thread: `ask-${thread.slice(0, 8)}`, turn: String(index + 1) }),
    ...(index === conversation.length - 1 && column !== 'none' ? { [column]: text } : {}),
  }))

/** A user marks what the answer should contain, then chooses the expectation. */
const selectedText = (): string =>
  (getSelection()?.toString() ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 200)

/** Addresses, quoted words, and words with a digit are proposed. */
const factsOf = (answer: string): readonly string[] => [
  ...new Set(
    Array.from(
      answer.matchAll(/https?:\/\/\S+|\S+@\S+|["“„]([^"“”„]{2,60})["”“]|[^\s(),;]*\d[^\s(),;]*/g),
      ([whole, quoted]) => (quoted ?? whole).replace(/[.,:;!?]+$/, ''),
    ),
  ),
]
