// People of a run show which words say little, and which mean a word of titles ("fb": Facebook). Articles are
// counted, not questions: ten about one say one thing.
import { countEach } from '../domain/counts.ts'
import type { ArticleIndex } from './index.ts'

/** A term of titles below this share of the articles is no meaning of a word. */
const MIN_SHARE = 0.2

type Meaning = readonly [term: string, share: number]

export class AskedFor {
  readonly #titles: ReadonlyMap<string, readonly string[]>
  readonly #byTerm = new Map<string, Set<string>>()
  readonly #meanings = new Map<string, readonly Meaning[]>()

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

  /** Tells the share of articles that people ask for with a term; `answer` does not count, as it is tried. */
  share(term: string, answer: string | undefined): number {
    const others = (ids: { readonly size: number; has: (id: string) => boolean } | undefined): number =>
      ids === undefined ? 0 : ids.size - (answer !== undefined && ids.has(answer) ? 1 : 0)
    return others(this.#byTerm.get(term)) / Math.max(1, others(this.#titles))
  }

  /**
   * Gives each term of titles the share of the articles asked for with this one that have it. One article is
   * taken off as chance, so that a single one means nothing.
   */
  meanings(term: string, answer: string | undefined): readonly Meaning[] {
    const asked = this.#byTerm.get(term)
    if (asked === undefined) return []
    const isTried = answer !== undefined && asked.has(answer)
    const known = isTried ? undefined : this.#meanings.get(term)
    if (known !== undefined) return known
    const articles = [...asked].filter((id) => id !== answer)
    const counts = countEach(articles.flatMap((id) => this.#titles.get(id) ?? []))
    const meanings = [...counts]
      .map(([other, count]) => [other, (count - 1) / articles.length] as const)
      .filter(([, share]) => share >= MIN_SHARE)
    if (!isTried) this.#meanings.set(term, meanings)
    return meanings
  }
}
