// Protects the Markdown of a pull request: at most 60 lines unfolded, the most important first, and nothing is left out.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Block, Item } from '../../src/report/document.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import { documentOf, figures, listOf, note } from './documents.ts'

/** Lines outside folded parts; the `details` elements and their summaries count. */
const unfolded = (markdown: string): string[] =>
  markdown
    .replaceAll(/(<\/summary>\n)[^]*?(<\/details>)/g, '$1$2')
    .trimEnd()
    .split('\n')

test('any document has at most 60 lines unfolded, and all its notes and lists', () => {
  const block = fc.oneof(
    fc.integer({ min: 0, max: 99 }).map((number) => note(`note ${number}`)),
    fc
      .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 12 }), fc.boolean())
      .map(([number, items, isMinor]) => listOf(`list ${number}`, items, { isMinor })),
  )
  fc.assert(
    fc.property(fc.array(block, { maxLength: 40 }), (blocks) => {
      const markdown = renderMarkdown(documentOf([figures('Grounded'), ...blocks]))
      expect(unfolded(markdown).length).toBeLessThanOrEqual(60)
      for (const one of blocks)
        expect(markdown).toContain(one.kind === 'note' ? one.text : one.kind === 'list' ? one.title : '')
    }),
  )
})

test('figures and notes come first, then failures and regressions, then gaps; what does not fit is folded and named', () => {
  const blocks = [
    figures('Grounded'),
    listOf('Added questions', 4, { isMinor: true }),
    listOf('Least grounded tags', 10),
    listOf('Flaky questions', 10),
    listOf('Gaps', 10, { tone: 'warn' }),
    figures('Lost grounding'),
    note('nobody reads the last line'),
    listOf('Lost grounding', 9, { tone: 'bad' }),
  ]
  const lines = unfolded(renderMarkdown(documentOf(blocks)))
  expect(lines.filter((line) => /^(>|\*\*|\| [A-Z])/.test(line))).toEqual([
    '| Grounded | 1 |  |  |',
    '> ⚠️ nobody reads the last line',
    '**Lost grounding** (9)',
    '**Gaps** (10)',
    '**Least grounded tags** (10)',
  ])
  expect(lines.at(-2)).toBe('<summary>Added questions (4) · Flaky questions (10)</summary>')
})

test('a question stands in the first list that has it, with what the others say of it', () => {
  const question = (id: string) => ({ text: `Question ${id}?`, link: { question: id } })
  const lost = (id: string): Item => ({ text: question(id), details: ['was MODEL', 'A → B'], tone: 'bad' })
  const gap: Item = {
    text: ['unclear: ', 'Question a?'],
    count: 3,
    details: ['a', 'b', 'c'].map(question),
    tone: 'warn',
    group: { title: 'Not clear', reason: '', questions: [] },
  }
  const old: Item = { text: '19:00 · Help desk', count: 2, details: ['b', 'd'].map(question), tone: 'warn' }
  const failed: Item = { text: [question('a')], details: ['was MODEL'], tone: 'bad' }
  const lists: Block[] = [
    { kind: 'list', title: 'Failed questions', items: [failed] },
    { kind: 'list', title: 'Lost grounding', items: ['a', 'b'].map(lost), total: 12 },
    { kind: 'list', title: 'Gaps', items: [gap], count: '3 questions' },
    { kind: 'list', title: 'Answers that still say what the edited article does not', items: [old] },
  ]
  const lead = [['New: 2 gaps', ' · ', question('a'), ' · ', question('b')], 'Closed: 1 gap']
  const markdown = renderMarkdown(documentOf([figures('Grounded'), ...lists], { lead }), true)
  expect(markdown).toContain('\n- New: 2 gaps\n- Closed: 1 gap\n')
  expect(markdown).toContain(`**Failed questions** (1)

- Question a? — Lost grounding: A → B — was MODEL

**Lost grounding** (12)

- 1 question above
- Question b? — was MODEL — A → B

10 more in the report.

**Gaps** (3 questions)

- 2 questions above
- **1** unclear: Question c?

**Answers that still say what the edited article does not** (1)

- **2** 19:00 · Help desk — Question d? — 1 question above
`)
})
