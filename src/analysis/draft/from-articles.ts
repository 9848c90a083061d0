// Questions from the articles themselves, for a knowledge base that has no tickets yet: a title or a heading
// asks, and the facts of its section say what the answer must contain.
import type { Article, ArticleSection } from '../../articles/article.ts'
import { extractFacts, type Fact } from '../../articles/facts.ts'
import { plainText } from '../../articles/plain-text.ts'

/** A question that a section of an article answers. */
export interface ArticleQuestion {
  readonly message: string
  /** The article's id. */
  readonly article: string
  readonly expectContains: readonly string[]
}

/** One for each section with a text. The text before the first heading belongs to the title. */
export const questionsOf = ({ id, title, sections }: Article): ArticleQuestion[] =>
  sections
    .filter(({ text }) => text.trim() !== '')
    .map((section) => ({
      message: messageOf(title, section),
      article: id,
      expectContains: expectedOf(section),
    }))

/** A heading such as "It disconnects" says nothing without its title. */
function messageOf(title: string, { heading }: ArticleSection): string {
  const [asked, of] = [plainText(heading).text.trim(), plainText(title).text.trim()]
  if (asked === '' || asked.toLowerCase() === of.toLowerCase()) return of
  return asked.endsWith('?') && asked.split(' ').length > 4 ? asked : `${of}: ${asked}`
}

/** More facts than these fail answers that are right, but short. */
const MAX_EXPECTED = 2

/** The kinds that an answer repeats as they are, the most telling first. */
const KINDS: readonly Fact['kind'][] = [
  'email',
  'url',
  'phone',
  'amount',
  'percentage',
  'duration',
  'time',
  'date',
]

function expectedOf({ text }: ArticleSection): string[] {
  const facts = extractFacts(text).filter(({ kind }) => KINDS.includes(kind))
  const order = facts.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  return [...new Set(order.map((fact) => fact.text))].slice(0, MAX_EXPECTED)
}
