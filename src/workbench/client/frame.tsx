// What is around each view: the header, the keys and the dialog that lists them, and errors.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { digits, plural } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { useKeys } from '../../page/keyboard.ts'
import { Untrusted } from '../../page/text.tsx'
import type { WorkbenchSession } from '../api.ts'
import type { Refused } from './api.ts'

/** If `press` is absent, a component of the view handles the key. */
export interface Key {
  readonly key: string
  readonly does: string
  readonly press?: () => void
}

interface Props {
  readonly session: WorkbenchSession
  /** It becomes the title of the document, and is untrusted. */
  readonly title: string
  readonly keys: readonly Key[]
  /** A view with a heading of its own leaves it out. */
  readonly heading?: ComponentChildren
  /** The children have a `main` of their own. */
  readonly isBare?: boolean
  readonly children: ComponentChildren
}

const VIEWS = [
  ['/', 'Runs'],
  ['/new', 'New run'],
  ['/ask', 'Ask'],
  ['/articles', 'Articles'],
] as const

export function Frame({ session, title, keys, heading, isBare = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { made, max } = session.calls
  const all: readonly Key[] = [
    ...keys,
    { key: '?', does: 'Show the keys', press: () => dialog.current?.showModal() },
  ]
  useKeys(Object.fromEntries(all.map(({ key, press }) => [key, press])))
  useEffect(() => {
    document.title = `${showActing(title)} · ${showActing(session.folder)}`
  }, [title, session.folder])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      {/* No banner: a report has one of its own. */}
      <nav class="bench" aria-label="Workbench">
        <b class="bench-folder" title="The folder of runs">
          <Untrusted text={session.folder} max={60} />
        </b>
        <span class="bench-views">
          {VIEWS.map(([address, name]) => (
            <a href={address} aria-current={location.pathname === address ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </span>
        {session.isReadOnly ? <span class="chip">read-only</span> : null}
        <span
          class={max !== null && made >= max ? 'warn' : 'muted'}
          title="Calls of this session that count toward --max-calls"
        >
          {max === null ? plural(made, 'call') : `${digits(made)} of ${plural(max, 'call')}`}
        </span>
        <button type="button" title="Keys: ?" aria-label="Keys" onClick={() => dialog.current?.showModal()}>
          ?
        </button>
      </nav>
      {isBare ? (
        children
      ) : (
        <main id="main">
          {heading === undefined ? null : <h1 class="bench-heading">{heading}</h1>}
          {children}
        </main>
      )}
      <KeysDialog keys={all} dialog={dialog} />
    </>
  )
}

interface DialogProps {
  readonly keys: readonly Key[]
  readonly dialog: RefObject<HTMLDialogElement | null>
}

const KeysDialog = ({ keys, dialog }: DialogProps) => (
  <dialog ref={dialog} aria-labelledby="keys-heading" class="card">
    <h2 id="keys-heading">Keys</h2>
    <dl class="keys-list">
      {keys.map(({ key, does }) => (
        <div>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <button type="button" onClick={() => dialog.current?.close()}>
      Close
    </button>
  </dialog>
)

export const Problem = ({ error }: { readonly error: Refused | undefined }) =>
  error === undefined ? null : (
    <p class="note bad" role="alert">
      <span aria-hidden="true">✗</span> <Untrusted text={error.message} max={600} />
    </p>
  )

export const Waiting = () => (
  <p class="muted" role="status">
    Loading…
  </p>
)
