// A list of numbers that grows: a few bytes each, out of the heap, where an array of a million objects would weigh more.

type Numbers = Uint8Array | Uint32Array | Float64Array

/** Numbers in a whole chunk. Chunks are never copied once they are whole: growing costs no second copy of a long list. */
const CHUNK = 2 ** 14
const SHIFT = 14
const FIRST = 64

/** Numbers that were never set are 0. Each must fit the kind: whole and below 2^32 by default. */
export class NumberList {
  readonly #create: (length: number) => Numbers
  readonly #chunks: Numbers[] = []
  #length = 0

  constructor(kind: typeof Uint8Array | typeof Uint32Array | typeof Float64Array = Uint32Array) {
    this.#create = (length) => new kind(length)
  }

  /** One more than the highest place that was set. */
  get length(): number {
    return this.#length
  }

  push(number: number): void {
    this.set(this.#length, number)
  }

  at(place: number): number {
    return this.#chunks[place >>> SHIFT]?.[place & (CHUNK - 1)] ?? 0
  }

  set(place: number, number: number): void {
    const chunk = this.#chunkOf(place)
    chunk[place & (CHUNK - 1)] = number
    if (place >= this.#length) this.#length = place + 1
  }

  add(place: number, number: number): void {
    this.set(place, this.at(place) + number)
  }

  *[Symbol.iterator](): Generator<number> {
    for (let place = 0; place < this.#length; place += 1) yield this.at(place)
  }

  /** All numbers in one piece, a copy. */
  toFloats(): Float64Array {
    const all = new Float64Array(this.#length)
    for (const [number, chunk] of this.#chunks.entries())
      all.set(chunk.subarray(0, this.#length - number * CHUNK), number * CHUNK)
    return all
  }

  /** Lets go of all numbers. */
  clear(): void {
    this.#chunks.length = 0
    this.#length = 0
  }

  /** The first chunk is no longer than a short list needs; those that nothing was set in are not there. */
  #chunkOf(place: number): Numbers {
    const number = place >>> SHIFT
    const within = place & (CHUNK - 1)
    const known = this.#chunks[number]
    if (known !== undefined && within < known.length) return known
    let size = number > 0 ? CHUNK : Math.max(FIRST, known?.length ?? 0)
    while (size <= within) size *= 2
    return this.#widen(number, size)
  }

  #widen(number: number, size: number): Numbers {
    const wider = this.#create(size)
    const known = this.#chunks[number]
    if (known !== undefined) wider.set(known)
    this.#chunks[number] = wider
    return wider
  }
}
