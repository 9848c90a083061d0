// Terms of the glossary with their explanation: it opens without a script.
import type { ComponentChildren } from 'preact'

/** The raw name, as files and options have it, comes last. */
const HINTS: Readonly<Record<string, readonly [term: string, meaning: string]>> = {
  Grounded: [
    'From the knowledge base',
    'The assistant says that it answered out of the articles. Files call it grounded, or coverage; the raw value is in an answer’s details.',
  ],
  'Expectations met': [
    'Expectations met',
    'Answers that say what the set asks for: words, source or a reference answer. Columns: expect_…',
  ],
  Errors: [
    'Errors',
    'Questions without an answer: refused, timed out, or the desk failed. They do not count as gaps.',
  ],
  'Grounded demand': [
    'From the knowledge base, by demand',
    'Each question counts as often as people ask it. Files call it weighted coverage; column: weight.',
  ],
  'Latency p95': ['Time to answer', '19 of 20 answers came within this time. Files call it latency.p95.'],
  'Calls counted': [
    'Calls',
    'Each request counts toward the AI quota. What was sent again after a refusal is counted, too.',
  ],
  'Unsupported facts': [
    'Facts no article has',
    'Answers with a number, date, amount, address or permission that the article they come from does not say.',
  ],
}

/** The label in plain words, as a button where it has an explanation, else as it is. `id` tells several on one page apart. */
export function Term({ label, id }: { readonly label: string; readonly id: string }): ComponentChildren {
  const hint = Object.hasOwn(HINTS, label) ? HINTS[label] : undefined
  if (hint === undefined) return label
  const [term, meaning] = hint
  const target = `hint-${id}`
  return (
    <>
      <button type="button" class="term" popovertarget={target}>
        {term}
      </button>
      <span popover="auto" class="hint" id={target}>
        <b>{term}</b>
        <span>{meaning}</span>
      </span>
    </>
  )
}
