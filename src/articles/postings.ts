// In which documents a term occurs, and how often: an inverted index of one field.
import { lowerBound } from './numbers.ts'

/** The documents that hold a term. */
export interface Posting {
  /** Numbers of documents, ascending. */
  readonly documents: readonly number[]
  /** How often the term occurs in each. */
  readonly counts: readonly number[]
}

const NOWHERE: Posting = { documents: [], counts: [] }

/** The documents of one field by their terms. */
export class Postings {
  readonly #byTerm = new Map<string, { readonly documents: number[]; readonly counts: number[] }>()
  readonly #lengths: number[] = []

  /** Adds the next document. */
  add(terms: readonly string[]): void {
    const document = this.#lengths.push(terms.length) - 1
    for (const term of terms) {
      const posting = this.#byTerm.get(term)
      if (posting === undefined) this.#byTerm.set(term, { documents: [document], counts: [1] })
      else if (posting.documents.at(-1) === document) posting.counts.push((posting.counts.pop() ?? 0) + 1)
      else {
        posting.documents.push(document)
        posting.counts.push(1)
      }
    }
  }

  get terms(): Iterable<string> {
    return this.#byTerm.keys()
  }

  /** Terms of each document, repetitions counted. */
  get lengths(): readonly number[] {
    return this.#lengths
  }

  of(term: string): Posting {
    return this.#byTerm.get(term) ?? NOWHERE
  }

  has(term: string, document: number): boolean {
    const { documents } = this.of(term)
    return documents[lowerBound(documents, document)] === document
  }
}
