// What is left of the lists that a person works off: what was decided, expected or rated good since the run
// leaves them, as it leaves the list of the desk.
import type { Acts } from '../../page/acts.ts'
import { findOf } from '../../page/first.tsx'
import { troubleOf } from '../../page/list.ts'
import { findConversations } from '../../page/query.ts'
import type { PageStore } from '../../page/store.ts'
import type { Block, Item, List, Section, Text } from '../../report/document.ts'
import { questionsOf } from '../../report/named-once.ts'

/** Any other list says what happened in the run, which no decision changes. */
const WORKED_OFF: readonly string[] = ['is:gap', 'is:unsupported', 'is:misfit', 'is:failed', 'is:wrong']

export const leftIn = (section: Section, store: PageStore, acts: Acts): Section => ({
  ...section,
  blocks: section.blocks.map((block): Block =>
    block.kind === 'list' && WORKED_OFF.includes(findOf(block)) ? leftOf(block, store, acts) : block,
  ),
})

function leftOf(list: List, store: PageStore, acts: Acts): List {
  const turns = findConversations(store, findOf(list), acts).found.flatMap((found) => found.turns)
  const open = new Set(turns.filter((turn) => troubleOf(turn, acts) !== undefined).map(({ id }) => id))
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
  return { ...list, items, ...(list.total !== undefined && { total: list.total - settled.length }) }
}
