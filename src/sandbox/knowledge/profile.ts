// What an article is about: each term with how much, and the words of each of its sections.
import type { Article, Section } from './article.ts'
import { isTopic, splitWords, termOf, termsOf } from './words.ts'

export interface SectionProfile {
  readonly section: Section
  readonly headingTerms: ReadonlySet<string>
  /** How often heading and text have each term. */
  readonly counts: ReadonlyMap<string, number>
}

export interface ArticleProfile {
  readonly titleTerms: ReadonlySet<string>
  /** The first topic of the title: what the article is about before all. */
  readonly head: string | undefined
  readonly sections: readonly SectionProfile[]
  /** How much the article is about a term: 1 in the title, `IN_HEADING`, less in the text. Terms it has not are absent. */
  readonly salience: ReadonlyMap<string, number>
}

export const IN_TITLE = 1
export const IN_HEADING = 0.8

export function profileArticle({ title, sections }: Article): ArticleProfile {
  const titleTerms = new Set(termsOf(title))
  const profiled = sections.map(profileSection)
  const counts = new Map<string, number>()
  for (const { counts: own } of profiled) {
    for (const [term, count] of own) counts.set(term, (counts.get(term) ?? 0) + count)
  }
  const salience = new Map([...counts].map(([term, count]) => [term, inText(count)]))
  for (const { headingTerms } of profiled) for (const term of headingTerms) salience.set(term, IN_HEADING)
  for (const term of titleTerms) salience.set(term, IN_TITLE)
  return { titleTerms, head: splitWords(title).filter(isTopic).map(termOf)[0], sections: profiled, salience }
}

/** Grows with each mention, ever more slowly, and stays below a heading. */
const inText = (count: number): number => (0.75 * count) / (count + 0.5)

function profileSection(section: Section): SectionProfile {
  const headingTerms = new Set(termsOf(section.heading))
  const counts = new Map<string, number>()
  for (const term of [...headingTerms, ...termsOf(section.text)])
    counts.set(term, (counts.get(term) ?? 0) + 1)
  return { section, headingTerms, counts }
}
