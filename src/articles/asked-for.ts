// How people of a run word their questions, learned from those whose articles are known: which words say little, and
// which mean a word of titles ("fb": Facebook). Articles are counted, not questions: ten about one say one thing.
import { countEach } from '../domain/counts.ts'
import type { ArticleIndex } from './index.ts'

/** Below this share of the articles, a term of titles is no meaning of a word. */
const MIN_SHARE = 0.2

export class AskedFor {
  /** The terms of the title of each article that people ask for. */
  readonly #titles: ReadonlyMap<string, readonly string[]>
  readonly #byTerm = new Map<string, Set<string>>()

  /** `article`: the id of the one that answers. */
  constructor(
    index: ArticleIndex,
    questions: readonly { readonly question: string; readonly article: string }[],
  ) {
    const asked = new Set(questions.map(({ article }) => article))
    this.#titles = new Map(
      index.articles.flatMap(({ id, title }) => (asked.has(id) ? [[id, index.termsOf(title)]] : [])),
    )
    for (const { question, article } of questions)
      for (const term of index.termsOf(question))
        this.#byTerm.set(term, (this.#byTerm.get(term) ?? new Set()).add(article))
  }

  /** The share of articles that people ask for with a term. `answer` does not count: its questions are tried. */
  share(term: string, answer: string | undefined): number {
    const isOther = (id: string): boolean => id !== answer
    const all = [...this.#titles.keys()].filter(isOther).length
    return all === 0 ? 0 : [...(this.#byTerm.get(term) ?? [])].filter(isOther).length / all
  }

  /**
   * Terms of titles that a term may mean, each with the share of the articles asked for with it whose titles
   * have the other. One article is taken off as chance, so that a single one means nothing.
   */
  meanings(term: string, answer: string | undefined): (readonly [term: string, share: number])[] {
    const articles = [...(this.#byTerm.get(term) ?? [])].filter((id) => id !== answer)
    const counts = countEach(articles.flatMap((id) => this.#titles.get(id) ?? []))
    return [...counts]
      .map(([other, count]) => [other, (count - 1) / articles.length] as const)
      .filter(([, share]) => share >= MIN_SHARE)
  }
}
