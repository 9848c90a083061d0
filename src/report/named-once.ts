// Lists of a medium without links: a question that several of them hold stands in the first, with all that
// they say of it.
import { plural } from '../domain/format.ts'
import { countOf, type Block, type Item, type List, textOf, type Span, type Text } from './document.ts'

interface Named extends Item {
  readonly details: Text[]
}

/** Only the first `maxItems` of a list are shown: a question beyond them is named by a later list. */
export function namedOnce(blocks: readonly Block[], maxItems: number): Block[] {
  const named = new Map<string, Named>()
  return blocks.map((block) => (block.kind === 'list' ? withoutNamed(block, named, maxItems) : block))
}

function withoutNamed(list: List, named: Map<string, Named>, maxItems: number): List {
  const left: Named[] = []
  let moved = 0
  for (const item of list.items) {
    const { details = [] } = item
    const before = questionsOf(item.text).flatMap((question) => named.get(question) ?? [])
    for (const { details: known } of before) {
      const news = details.filter((detail) => !known.some((text) => plain(text) === plain(detail)))
      if (news.length > 0) known.unshift([...spansOf(list.title), ': ', ...joined(news)])
    }
    const others = details.filter((detail) => !questionsOf(detail).some((question) => named.has(question)))
    const count = details.length - others.length
    if (before.length > 0) moved += before.length
    else if (count === 0) left.push({ ...item, details: others })
    else if (item.group === undefined) left.push({ ...item, details: [...others, above(count)] })
    else {
      moved += count
      left.push(...topicOf(item, others))
    }
  }
  for (const item of left.slice(0, maxItems))
    for (const question of questionsOf(item.text)) named.set(question, item)
  if (moved === 0) return { ...list, items: left }
  const total = (list.total ?? list.items.length) - list.items.length + left.length + 1
  return { ...list, count: countOf(list), total, items: [{ text: above(moved) }, ...left] }
}

const above = (questions: number): string => `${plural(questions, 'question')} above`

/** A topic goes on with its other questions: its name may be the text of one that is named above. */
function topicOf(item: Item, details: readonly Text[]): Named[] {
  const [first, ...others] = details.filter((detail) => questionsOf(detail).length > 0)
  if (first === undefined) return []
  const text = [...spansOf(item.text).slice(0, -1), ...spansOf(first)]
  return [{ ...item, text, count: others.length + 1, details: others }]
}

const spansOf = (text: Text): readonly Span[] => [text].flat()

export const questionsOf = (text: Text): string[] =>
  spansOf(text).flatMap((span) =>
    typeof span === 'object' && 'link' in span && 'question' in span.link ? [span.link.question] : [],
  )

const plain = (text: Text): string => textOf(text, (foreign) => foreign)

const joined = (texts: readonly Text[]): Span[] =>
  texts.flatMap((text, index) => [...(index === 0 ? [] : [', ']), ...spansOf(text)])
