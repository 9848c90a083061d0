// The one bar of every page: the way, the verdict, the tabs, the search, the menu and the keys.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { MARKS, type Tone } from '../report/document.ts'
import { Icon, type IconName } from './icons.tsx'

export interface Tab {
  readonly href: string
  readonly title: string
  readonly isCurrent: boolean
}

interface Props {
  /** Links above this page, outermost first. */
  readonly way?: readonly { readonly href: string; readonly name: string }[]
  readonly title: ComponentChildren
  readonly verdict?: { readonly tone: Tone; readonly word: string; readonly reason: ComponentChildren }
  readonly tabs: readonly Tab[]
  /** The name of the tabs for a screen reader. */
  readonly label: string
  readonly search?: ComponentChildren
  /** The one primary button of a page. */
  readonly action?: ComponentChildren
  readonly menu?: ComponentChildren
  readonly facts?: ComponentChildren
}

const ICONS: Readonly<Record<Tone, IconName>> = { good: 'check', bad: 'cross', warn: 'doubt', muted: 'check' }

export const Bar = ({ way = [], title, verdict, tabs, label, search, action, menu, facts }: Props) => (
  <header class="bar">
    <div class="way">
      {way.map(({ href, name }) => (
        <a href={href}>
          <span class="wide">{name}</span>
          <Icon name="chevron" label={name} />
        </a>
      ))}
      <h1 class="one-line">{title}</h1>
    </div>
    {verdict === undefined ? null : (
      <span class={`chip ${verdict.tone}`}>
        <Icon name={ICONS[verdict.tone]} />
        <span class="off-screen">{MARKS[verdict.tone]} </span>
        {verdict.word}
        <span class="more one-line">{verdict.reason}</span>
      </span>
    )}
    {facts === undefined ? null : <span class="print-only">{facts}</span>}
    {tabs.length < 2 ? null : (
      <nav class="tabs" aria-label={label}>
        {tabs.map(({ href, title: name, isCurrent }) => (
          <a href={href} aria-current={isCurrent ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
    )}
    {search}
    {action}
    {menu}
  </header>
)

interface SearchProps {
  readonly box: RefObject<HTMLInputElement | null>
  readonly label: string
  readonly value: string
  readonly search: (text: string) => void
}

export const Search = ({ box, label, value, search }: SearchProps) => (
  <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
    <Icon name="search" />
    <input
      ref={box}
      class="input"
      type="search"
      aria-label={label}
      placeholder="Search"
      value={value}
      onInput={({ currentTarget }) => search(currentTarget.value)}
    />
    <kbd aria-hidden="true">/</kbd>
  </form>
)

/** A menu that closes on Escape, with another address, and when something else is clicked or focused. */
export function Menu({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event): void => {
      const { current: box } = menu
      if (box === null || !box.open) return
      const isInside = event.target instanceof Node && box.contains(event.target)
      if (event instanceof KeyboardEvent ? event.key !== 'Escape' : isInside) return
      if (isInside) box.querySelector('summary')?.focus()
      box.open = false
    }
    const events = ['click', 'focusin', 'keydown', 'hashchange']
    for (const event of events) addEventListener(event, close)
    return () => events.forEach((event) => removeEventListener(event, close))
  }, [])
  return (
    <details class="menu" ref={menu}>
      <summary aria-label={`Menu: ${name}`}>
        <Icon name="person" />
        <span class="one-line">{name}</span>
      </summary>
      <div>{children}</div>
    </details>
  )
}

export type KeyList = readonly (readonly [keys: string, does: string])[]

export const KEYS_ID = 'keys'

export const Keys = ({ keys }: { readonly keys: KeyList }) => (
  <div popover="auto" id={KEYS_ID}>
    <h2>Keys</h2>
    <dl class="keys-list">
      {[...keys, ['?', 'this list'] as const].map(([names, does]) => (
        <div>
          <dt>
            {names.split(' ').map((name) => (
              <kbd>{name}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </div>
)

export const showKeys = (): void => void document.getElementById(KEYS_ID)?.togglePopover()
