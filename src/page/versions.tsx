// An answer that changed: the old one left, the new one right, with the words that differ.
import type { PageChange, PageTurn } from '../domain/conversations.ts'
import { Icon } from './icons.tsx'
import { sourceText } from './list.ts'
import { Untrusted } from './text.tsx'
import { wordDiff } from './word-diff.ts'

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
  readonly of: Pick<PageTurn, 'source' | 'outcome' | 'grounded'>
  readonly children: preact.ComponentChildren
}

const Version = ({ name, of: sent, children }: VersionProps) => (
  <div class={`version ${name === 'new' ? 'current' : ''}`}>
    <p class="line version-head">
      <b>{name}</b>
      {sent.grounded === null ? null : (
        <Icon name={sent.grounded ? 'check' : 'gap'} class={sent.grounded ? 'good' : 'warn'} />
      )}
      <Untrusted text={sourceText(sent)} max={60} />
    </p>
    <p class="turn-text">{children}</p>
  </div>
)
