// Small parts of every view: buttons, icons, and terms of the glossary with their explanation.
import type { ComponentChildren, ComponentProps } from 'preact'
import { useId } from 'preact/hooks'
import { GLOSSARY } from './glossary.ts'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'class' | 'type' | 'onClick'> {
  /** The one primary of a pane; a plain one has no border. */
  readonly kind?: 'primary' | 'plain'
  readonly act: (() => void) | undefined
}

export const Button = ({ kind, act, ...props }: ButtonProps) => (
  <button type="button" class={`button ${kind ?? ''}`} onClick={act} {...props} />
)

// Drawn on 16 px in the colour of their text.
const PATHS = {
  check: 'm3 8.5 3.2 3.2L13 5',
  cross: 'm4 4 8 8m0-8-8 8',
  gap:
    'M8 2.5A5.5 5.5 0 0 1 12 4.2m1.5 3.8a5.5 5.5 0 0 1-1.6 3.9' +
    'M8 13.5a5.5 5.5 0 0 1-3.9-1.6M2.5 8a5.5 5.5 0 0 1 1.6-3.9',
  doubt: 'M8 2.5 14 13H2zM8 6.5v3m0 1.8v.01',
  other: 'M2.5 5.5H11M8.5 3 11 5.5 8.5 8m5 2.5H5M7.5 8 5 10.5 7.5 13',
  differ: 'M3 6h10M3 10h10m-2.5-7-5 10',
  article: 'M9.5 2.5H4v11h8V5zm0 0V5H12M6 8h4m-4 2.5h4',
  search: 'M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4zm3.2 7.4 3.3 3.3',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  note: 'm3 13 .7-2.8L10.8 3 13 5.2l-7.2 7.1z',
  undo: 'm5.5 3-3 3 3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H7',
  person: 'M8 2.8a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4zM2.8 13.5c.7-2.6 2.7-3.7 5.2-3.7s4.5 1.1 5.2 3.7',
  run: 'm5 3.5 7 4.5-7 4.5z',
  upload: 'M8 10.5V3M5 5.5l3-3 3 3m-8.5 5v3h11v-3',
} as const

export type IconName = keyof typeof PATHS

interface IconProps {
  readonly name: IconName
  /** A tone, or how it is turned: `back`, `flip`, `turns`. */
  readonly class?: string
  /** An icon that stands alone says it. */
  readonly label?: string
}

export const Icon = ({ name, class: classes = '', label }: IconProps) => (
  <svg
    class={`icon ${classes}`}
    viewBox="0 0 16 16"
    role={label === undefined ? undefined : 'img'}
    aria-label={label}
    aria-hidden={label === undefined ? 'true' : undefined}
  >
    <path d={PATHS[name]} />
  </svg>
)

interface TermProps {
  readonly label: string
  /** The button says the term in plain words by default. */
  readonly shown?: string
}

/** The label as a button where it has an explanation, else as it is. */
export function Term({ label, shown }: TermProps): ComponentChildren {
  const target = useId()
  const hint = Object.hasOwn(GLOSSARY, label) ? GLOSSARY[label] : undefined
  if (hint === undefined) return shown ?? label
  const [term, meaning] = hint
  return (
    <>
      <button type="button" class="term" popovertarget={target}>
        {shown ?? term}
      </button>
      <span popover="auto" class="hint" id={target}>
        <b>{term}</b>
        <span>{meaning}</span>
      </span>
    </>
  )
}
