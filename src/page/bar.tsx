// The one bar of every page: the way, the verdict, the tabs, the search, the menu and the keys.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { MARKS, type Text, type Tone, type Verdict } from '../report/document.ts'
import { Icon, type IconName } from './controls.tsx'
import { useKeys } from './keyboard.ts'
import { Words } from './text.tsx'

interface Props {
  /** The link above this page. */
  readonly way: { readonly href: string; readonly name: string } | undefined
  readonly title: Text
  readonly verdict?: Verdict
  readonly tabs: readonly { readonly href: string; readonly title: string; readonly isCurrent: boolean }[]
  /** The name of the tabs for a screen reader. */
  readonly label: string
  readonly search?: ComponentChildren
  /** The one primary button of a page. */
  readonly action?: ComponentChildren
  /** It names the menu: that of the person. */
  readonly name: string
  readonly menu: ComponentChildren
  readonly keys: KeyList
  readonly facts?: ComponentChildren
}

const ICONS: Readonly<Record<Tone, IconName>> = { good: 'check', bad: 'cross', warn: 'doubt', muted: 'check' }

export const Bar = ({ way, title, verdict, tabs, label, search, action, name, menu, keys, facts }: Props) => (
  <header class="line bar">
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <div class="line way">
      {way === undefined ? null : (
        <a href={way.href}>
          <span class="wide">{way.name}</span>
          <Icon name="chevron" label={way.name} />
        </a>
      )}
      <h1 class="one-line">
        <Words text={title} />
      </h1>
    </div>
    {verdict === undefined ? null : (
      <span class={`chip ${verdict.tone}`}>
        <Icon name={ICONS[verdict.tone]} />
        <span class="off-screen">{MARKS[verdict.tone]} </span>
        {verdict.word}
        <span class="more one-line">
          <Words text={verdict.reason} />
        </span>
      </span>
    )}
    {facts === undefined ? null : <span class="print-only">{facts}</span>}
    {tabs.length < 2 ? null : (
      <nav class="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <a href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
            {tab.title}
          </a>
        ))}
      </nav>
    )}
    {search}
    {action}
    <Menu name={name}>
      {menu}
      <button type="button" popovertarget={KEYS_ID}>
        Keys <kbd>?</kbd>
      </button>
    </Menu>
    <Keys keys={keys} />
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
      placeholder="Search (/)"
      value={value}
      onInput={({ currentTarget }) => search(currentTarget.value)}
    />
  </form>
)

/** A menu that closes on Escape, when something else is clicked, and with another address. */
function Menu({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const close = (): void => menu.current?.hidePopover()
    addEventListener('hashchange', close)
    return () => removeEventListener('hashchange', close)
  }, [])
  return (
    <>
      <button type="button" class="line menu-button" popovertarget="menu" aria-label={`Menu: ${name}`}>
        <Icon name="person" />
        <span class="one-line">{name}</span>
      </button>
      <div popover="auto" id="menu" class="menu" ref={menu}>
        {children}
      </div>
    </>
  )
}

export type KeyList = readonly (readonly [keys: string, does: string])[]

const KEYS_ID = 'keys'

function Keys({ keys }: { readonly keys: KeyList }) {
  useKeys({ '?': () => document.getElementById(KEYS_ID)?.showPopover() })
  return (
    <div popover="auto" id={KEYS_ID}>
      <h2>Keys</h2>
      <dl class="keys-list">
        {[...keys, ['?', 'this list'] as const].map(([names, does]) => (
          <div class="line">
            <dt class="line">
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
}
