// Terms of the glossary with their explanation: it opens without a script.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { GLOSSARY } from './glossary.ts'

interface Props {
  readonly label: string
  /** The button says the term in plain words by default. */
  readonly shown?: string
}

/** The label as a button where it has an explanation, else as it is. */
export function Term({ label, shown }: Props): ComponentChildren {
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
