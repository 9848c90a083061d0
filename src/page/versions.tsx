// An answer that changed: the old one left, the new one right, with the words that differ.
import { diffWords } from 'diff'
import type { PageChange, PageTurn } from '../domain/conversations.ts'
import { Icon } from './controls.tsx'
import { type Sent, sourceText } from './list.ts'
import { Untrusted } from './text.tsx'

export function Versions({ turn, change }: { readonly turn: PageTurn; readonly change: PageChange }) {
  const [before, now] = [change.answer ?? '', turn.answer ?? '']
  const parts = wordDiff(before, now)
  const isOther = !parts.some(({ kind }) => kind === 'same')
  const shown = (side: 'removed' | 'added') =>
    parts
      .filter(({ kind }) => kind === 'same' || kind === side)
      .map(({ kind, text }) => {
        const plain = <Untrusted text={text} />
        if (kind === 'same' || isOther) return plain
        return kind === 'added' ? <ins>{plain}</ins> : <del>{plain}</del>
      })
  return (
    <div class="versions">
      <Version name="old" of={{ ...change, grounded: change.source === turn.source ? turn.grounded : null }}>
        {before === '' ? null : shown('removed')}
      </Version>
      <Version name="new" of={turn}>
        {now === '' ? <Untrusted text={turn.error ?? ''} /> : shown('added')}
      </Version>
    </div>
  )
}

interface VersionProps {
  readonly name: 'old' | 'new'
  readonly of: Sent
  readonly children: preact.ComponentChildren
}

const Version = ({ name, of: sent, children }: VersionProps) => (
  <div class={`version ${name === 'new' ? 'current' : ''}`}>
    <p class="line version-head">
      <b>{name}</b>
      {typeof sent.grounded !== 'boolean' ? null : (
        <Icon name={sent.grounded ? 'check' : 'gap'} class={sent.grounded ? 'good' : 'warn'} />
      )}
      <Untrusted text={sourceText(sent)} max={60} />
    </p>
    <p class="turn-text">{children}</p>
  </div>
)

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Beyond either, the whole text counts as changed: the time is quadratic. `edits` are changed words. */
const MAX = { characters: 20_000, edits: 200 }
/** If less of the longer text is the same, the two have single words in common: a diff would be a jumble. */
const MIN_SAME = 0.25

/** `same` and `added` parts make up the new text. Changes of white space are ignored. */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const isLong = before.length + after.length > MAX.characters
  const intlSegmenter = new Intl.Segmenter('en', { granularity: 'word' })
  const changes = isLong ? undefined : diffWords(before, after, { intlSegmenter, maxEditLength: MAX.edits })
  const parts = (changes ?? []).map(({ added, removed, value: text }): DiffPart => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text,
  }))
  const same = parts.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0)
  if (same > 0 && same >= MIN_SAME * Math.max(before.length, after.length)) return parts
  const whole: readonly DiffPart[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return whole.filter(({ text }) => text !== '')
}
