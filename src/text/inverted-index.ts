// Finds documents by their terms: in which a term occurs, how often, and how much it says.

interface Posting {
  /** They are ascending. */
  readonly documents: number[]
  readonly counts: number[]
}

const NOWHERE: Posting = { documents: [], counts: [] }

/** A document is a number: they are added from 0 on, one after the other. */
export class InvertedIndex {
  readonly #byTerm = new Map<string, Posting>()
  readonly #lengths: number[] = []

  /** Adds terms, repetitions included, to the last document or the next. */
  add(document: number, terms: Iterable<string>): void {
    let length = this.#lengths[document] ?? 0
    for (const term of terms) {
      length += 1
      const posting = this.#byTerm.get(term)
      if (posting === undefined) this.#byTerm.set(term, { documents: [document], counts: [1] })
      else if (posting.documents.at(-1) === document) posting.counts.push((posting.counts.pop() ?? 0) + 1)
      else {
        posting.documents.push(document)
        posting.counts.push(1)
      }
    }
    this.#lengths[document] = length
  }

  get size(): number {
    return this.#lengths.length
  }

  get terms(): Iterable<string> {
    return this.#byTerm.keys()
  }

  /** Terms are counted by document, repetitions included. */
  get lengths(): readonly number[] {
    return this.#lengths
  }

  holders(term: string): readonly number[] {
    return this.#byTerm.get(term)?.documents ?? NOWHERE.documents
  }

  each(term: string, visit: (document: number, count: number) => void): void {
    const { documents, counts } = this.#byTerm.get(term) ?? NOWHERE
    for (const [at, document] of documents.entries()) visit(document, counts[at] ?? 0)
  }

  has(term: string, document: number): boolean {
    const documents = this.holders(term)
    let [low, high] = [0, documents.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((documents[middle] ?? 0) < document) low = middle + 1
      else high = middle
    }
    return documents[low] === document
  }

  weightOf(term: string): number {
    return this.rarity(this.holders(term).length)
  }

  /** Gives ln((1 + n)/(1 + df)), the smoothed inverse document frequency (Salton and Buckley 1988). */
  rarity(holders: number): number {
    return Math.log((1 + this.size) / (1 + holders))
  }
}

/** Puts the highest score above 0 first; of equal ones the first document. */
export function highest(
  documents: Iterable<number>,
  scores: Float64Array | Float32Array,
  max: number,
): number[] {
  const found: number[] = []
  for (const document of documents) {
    const score = scores[document] ?? 0
    if (score === 0 || (found.length === max && score <= (scores[found.at(-1) ?? 0] ?? 0))) continue
    const rank = found.findIndex((other) => (scores[other] ?? 0) < score)
    found.splice(rank === -1 ? found.length : rank, 0, document)
    found.length = Math.min(found.length, max)
  }
  return found
}
