// A report as the workbench shows it: without what is typed in a terminal, and what is left of its lists.
import type { PageTurn } from '../../domain/conversations.ts'
import { type Acts, READING } from '../../page/acts.ts'
import { findOf } from '../../page/first.tsx'
import { type Trouble, troublesOf } from '../../page/list.ts'
import { findConversations, STATES } from '../../page/query.ts'
import type { PageStore } from '../../page/store.ts'
import {
  type Block,
  type Item,
  type List,
  type Section,
  type Span,
  type Text,
  textOf,
} from '../../report/document.ts'
import { questionsOf } from '../../report/named-once.ts'

/** Leaves out ` (--max-calls)`, `; --min-overlap 50%`, `, as in --column tags=Art`; sentences on options. */
export const withoutOptions = (text: Text): readonly Span[] =>
  [text].flat().map((span): Span => {
    if (typeof span === 'string') return plainText(span)
    return 'untrusted' in span ? { untrusted: plainText(span.untrusted) } : span
  })

export const plainText = (text: string): string =>
  text
    .replaceAll(/ \((?:load )?--[a-z-]+\)|; --[a-z-]+ [^)]*(?=\))|, as in --\S+ .*$/g, '')
    .replaceAll(/(?<=^|\.)[^.]* --[a-z-]+[^.]*\./g, '')

export function plainBlock(block: Block): Block {
  if (block.kind === 'note') return { ...block, text: withoutOptions(block.text) }
  if (block.kind === 'gates') {
    const gates = block.gates.map((gate) => ({ ...gate, reason: { text: plainText(gate.reason.text) } }))
    return { ...block, gates }
  }
  if (block.kind !== 'table') return block
  const rows = block.rows.map((row) => ({ ...row, cells: row.cells.map(withoutOptions) }))
  return { ...block, rows }
}

/** Nothing is left of a note that was all about options. */
const isBlank = (block: Block): boolean =>
  block.kind === 'note' && textOf(block.text, (foreign) => foreign).trim() === ''

export const plainSection = (section: Section): Section => ({
  ...section,
  blocks: section.blocks.map(plainBlock).filter((block) => !isBlank(block)),
})

type IsOpen = (turn: PageTurn, acts: Acts) => boolean

function has(...troubles: readonly Trouble[]): IsOpen {
  return (turn, acts) => troublesOf(turn, acts).some((trouble) => troubles.includes(trouble))
}

/** Any other list says what happened in the run, which no decision changes. A gap may be why one failed. */
const WORKED_OFF: Readonly<Record<string, IsOpen>> = {
  'is:gap': has('gap'),
  'is:unsupported': has('facts'),
  'is:misfit': has('other'),
  'is:failed': has('failed', 'gap'),
  'is:wrong': has('failed', 'error', 'gap'),
  'is:needs-review': STATES['needs-review'],
}

export const leftIn = (section: Section, store: PageStore, acts: Acts): Section => ({
  ...section,
  blocks: section.blocks.map((block): Block => {
    const isOpen = block.kind === 'list' ? WORKED_OFF[findOf(block)] : undefined
    return block.kind === 'list' && isOpen ? leftOf(block, isOpen, store, acts) : block
  }),
})

function leftOf(list: List, isOpenTurn: IsOpen, store: PageStore, acts: Acts): List {
  // Those of the report, whatever was done since.
  const turns = findConversations(store, findOf(list), READING).flatMap((found) => found.turns)
  const open = new Set(turns.filter((turn) => isOpenTurn(turn, acts)).map(({ id }) => id))
  const settled = turns.map(({ id }) => id).filter((id) => !open.has(id))
  const done = new Set(settled)
  if (done.size === 0) return list
  const isOpen = (...texts: readonly Text[]): boolean =>
    !texts.flatMap(questionsOf).some((id) => done.has(id))
  const items = list.items.flatMap((item): Item[] => {
    const { text, details = [], group } = item
    if (group === undefined) return isOpen(text, ...details) ? [item] : []
    const questions = group.questions.filter((question) => isOpen(question.text))
    return questions.length === 0
      ? []
      : [{ ...item, count: questions.length, group: { ...group, questions } }]
  })
  // A total counts each repeat of a question.
  return list.total === undefined
    ? { ...list, items, done: done.size }
    : { ...list, items, done: settled.length, total: list.total - settled.length }
}
