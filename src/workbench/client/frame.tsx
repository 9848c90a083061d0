// What is around each view: the bar with its menu and keys, and errors.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { digits } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { Bar } from '../../page/bar.tsx'
import { Icon, type IconName } from '../../page/controls.tsx'
import { useKeys } from '../../page/keyboard.ts'
import { Untrusted } from '../../page/text.tsx'
import type { WorkbenchSession } from '../api.ts'
import { type Refused, runAddress } from './api.ts'
import { plainText } from './shown.ts'

/** If `press` is absent, a component of the view handles the key. */
interface Key {
  readonly key: string
  readonly does: string
  readonly press?: () => void
}

interface Props {
  readonly session: WorkbenchSession
  /** It becomes the title of the document, and is untrusted. */
  readonly title: string
  readonly keys?: readonly Key[]
  readonly search?: ComponentChildren
  readonly action?: ComponentChildren
  readonly children: ComponentChildren
}

/** The way back from what is below a tab. */
export const RUNS = { href: '/', name: 'Runs' }

export function Frame({ session, title, keys = [], search, action, children }: Props) {
  const { articles } = session
  const tabs = [
    { href: '/', title: 'Runs' },
    { href: '/ask', title: 'Ask' },
    // Of the last run that was held against them.
    ...(articles === null ? [] : [{ href: `${runAddress(articles)}#articles`, title: 'Articles' }]),
    { href: '/todo', title: 'To do' },
  ].map((tab) => ({ ...tab, isCurrent: location.pathname === tab.href }))
  // What is below a tab has the way back to it in place of tabs.
  const isTab = tabs.some(({ isCurrent }) => isCurrent)
  useKeys(Object.fromEntries(keys.map(({ key, press }) => [key, press])))
  useTitle(title, session)
  return (
    <>
      <Bar
        title={{ untrusted: isTab ? session.folder : title }}
        way={isTab ? undefined : RUNS}
        label="Workbench"
        tabs={isTab ? tabs : []}
        search={search}
        action={action}
        name={session.isReadOnly ? 'read-only' : session.reviewer}
        menu={<CallsLine session={session} />}
        keys={keys.map(({ key, does }) => [key, does] as const)}
      />
      <main id="main" class="page">
        {children}
      </main>
    </>
  )
}

export function useTitle(title: string, { folder }: WorkbenchSession): void {
  useEffect(() => {
    document.title = `${showActing(title)} · ${showActing(folder)}`
  }, [title, folder])
}

/** Calls of this session that count toward `--max-calls`. */
export function CallsLine({ session: { calls } }: { readonly session: WorkbenchSession }) {
  const { made, max } = calls
  return (
    <p class={max !== null && made >= max ? 'warn' : 'quiet'}>
      <span>Calls that cost, so far</span>
      <span>{max === null ? digits(made) : `${digits(made)} of ${digits(max)}`}</span>
    </p>
  )
}

interface ProblemProps {
  readonly error: Refused | undefined
}

export const Problem = ({ error }: ProblemProps) =>
  error === undefined ? null : (
    <p class="note bad" role="alert">
      <Icon name="cross" />
      <Untrusted text={plainText(error.message) || error.message} max={600} />
    </p>
  )

/** Stands where data will be. */
export const Waiting = ({ error }: ProblemProps) =>
  error === undefined ? (
    <p class="quiet" role="status">
      Loading…
    </p>
  ) : (
    <Problem error={error} />
  )

/** The server does not answer: what is done now would be lost. */
export const Away = () => (
  <p class="away chip warn" role="alert">
    <Icon name="doubt" />
    Not connected, what you do is not saved. Start the workbench again.
  </p>
)

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly acts?: ComponentChildren
  readonly children: ComponentChildren
}

/** A view without anything yet says what will stand there, and how to begin. */
export const Empty = ({ icon, title, acts, children }: EmptyProps) => (
  <div class="box empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    <p>{children}</p>
    <div class="line acts">{acts}</div>
  </div>
)
