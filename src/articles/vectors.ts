// How near the titles and headings of articles are to a question, by vectors of a sentence model.
import type { Article } from './article.ts'

/** Each vector has length 1. */
export type Vectors = ReadonlyMap<string, Float32Array>

/**
 * Each list is by the number of an article: 0 as for two titles on average, 1 as for the same text. Any texts
 * have a cosine of 0.1 in one model and of 0.7 in another.
 */
export interface Cosines {
  readonly best: Float32Array
  readonly title: Float32Array
}

/** Lists what is embedded of an article: its title, and each heading behind it. */
export const headingsOf = ({ title, sections }: Article): string[] => [
  title,
  ...sections.flatMap(({ heading }) => (heading === '' ? [] : `${title}. ${heading}`)),
]

const OPENING_WEIGHT = 0.5
/** Each title is held against so many others. */
const NEIGHBOURS = 20

export class TitleVectors {
  readonly #articles: readonly (readonly Float32Array[])[]
  readonly #vectors: Vectors
  readonly #chance: number
  #last: { readonly key: string; readonly cosines: Cosines } | undefined

  constructor(articles: readonly Article[], vectors: Vectors) {
    this.#vectors = vectors
    this.#articles = articles.map((article) => headingsOf(article).map((text) => this.#of(text)))
    const titles = this.#articles.flatMap(([title]) => title ?? [])
    const pairs = titles.flatMap((title, index) =>
      titles.slice(index + 1, index + 1 + NEIGHBOURS).map((other) => dot(title, other)),
    )
    this.#chance = pairs.reduce((sum, cosine) => sum + cosine, 0) / Math.max(1, pairs.length)
  }

  #of(text: string): Float32Array {
    const vector = this.#vectors.get(text)
    if (vector === undefined) throw new Error(`no vector of ${JSON.stringify(text)}`)
    return vector
  }

  /** `opening` weighs half. The last question is remembered: it is looked up several times. */
  cosinesOf(question: string, opening: string | undefined): Cosines {
    const key = JSON.stringify([question, opening])
    if (this.#last?.key === key) return this.#last.cosines
    const own = this.#of(question)
    // Several questions before it have no vector together.
    const before = this.#vectors.get(opening ?? '')
    const asked =
      before === undefined ? own : unit(own.map((value, at) => value + OPENING_WEIGHT * (before[at] ?? 0)))
    const best = new Float32Array(this.#articles.length)
    const title = new Float32Array(this.#articles.length)
    for (const [number, vectors] of this.#articles.entries()) {
      const cosines = vectors.map(
        (vector) => (dot(asked, vector) - this.#chance) / Math.max(1e-6, 1 - this.#chance),
      )
      title[number] = cosines[0] ?? 0
      best[number] = Math.max(...cosines)
    }
    this.#last = { key, cosines: { best, title } }
    return this.#last.cosines
  }
}

function dot(some: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let index = 0; index < some.length; index += 1) sum += (some[index] ?? 0) * (other[index] ?? 0)
  return sum
}

/** Gives the vector length 1; one of length 0 stays. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((value) => value / length)
}
