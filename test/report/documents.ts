// Documents for the tests of what renders them, from their blocks alone.
import type { Block, Document, Item } from '../../src/report/document.ts'

export const documentOf = (blocks: readonly Block[], more: Partial<Document> = {}): Document => ({
  title: ['set.csv'],
  facts: '',
  at: null,
  verdict: { tone: 'bad', word: 'Failed', reason: 'failed expectations: 4' },
  sections: [{ id: 'overview', title: 'Overview', blocks }],
  ...more,
})

export const figures = (label: string): Block => ({ kind: 'figures', figures: [{ label, value: '1' }] })
export const note = (text: string): Block => ({ kind: 'note', tone: 'warn', text })

interface ListOptions {
  readonly tone?: Item['tone']
  readonly isMinor?: boolean
}

/** A list of that many items, each named after it. */
export function listOf(title: string, length: number, { tone, isMinor = false }: ListOptions = {}): Block {
  const items = Array.from({ length }, (_, place) => ({ text: `${title} ${place}`, tone }))
  return { kind: 'list', title, items, isMinor }
}
