// Names to numbers, 0, 1, 2 in the order of their coming, without keeping the names.
import { fingerprint } from './fingerprint.ts'
import { NumberList } from './number-list.ts'

/** Words of 32 bits in a key. */
const WORDS = 4

/**
 * A hash table over 128 bits of SHA-256. That two names out of a million share those has a chance of 1 in 10^27,
 * below that of a memory error, so a name found here has been here: no second look at the file is needed.
 */
export class NameIndex {
  /** Number of a name, plus one; 0 where the slot is free. Half of them at least are. */
  #slots = new Uint32Array(2048)
  readonly #keys = new NumberList()
  readonly #key = new Uint32Array(WORDS)
  /** The name whose key is at hand: it is mostly added right after it was not found. */
  #keyed: string | undefined
  #last: { readonly name: string; readonly number: number } | undefined

  /** How many names there are: `add` gave a new one if it gives the size before. */
  get size(): number {
    return this.#keys.length / WORDS
  }

  add(name: string): number {
    // Rows of one thread mostly stand together.
    if (this.#last?.name === name) return this.#last.number
    this.#keyTo(name)
    const number = this.#take()
    this.#last = { name, number }
    return number
  }

  /** The number of a name that is there. */
  find(name: string): number | undefined {
    this.#keyTo(name)
    const taken = this.#slots[this.#seek()] ?? 0
    return taken === 0 ? undefined : taken - 1
  }

  #keyTo(name: string): void {
    if (name === this.#keyed) return
    fingerprint(name, this.#key)
    this.#keyed = name
  }

  #take(): number {
    const slot = this.#seek()
    const taken = this.#slots[slot] ?? 0
    if (taken !== 0) return taken - 1
    const number = this.size
    for (const word of this.#key) this.#keys.push(word)
    this.#slots[slot] = number + 1
    if (this.size * 2 > this.#slots.length) this.#grow()
    return number
  }

  /** The slot of the key at hand, or the free one where it belongs. */
  #seek(): number {
    const mask = this.#slots.length - 1
    let slot = (this.#key[0] ?? 0) & mask
    for (;;) {
      const taken = this.#slots[slot] ?? 0
      if (taken === 0 || this.#isKeyOf(taken - 1)) return slot
      slot = (slot + 1) & mask
    }
  }

  #isKeyOf(number: number): boolean {
    for (let word = 0; word < WORDS; word += 1)
      if (this.#keys.at(number * WORDS + word) !== this.#key[word]) return false
    return true
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    const mask = this.#slots.length - 1
    for (let number = 0; number < this.size; number += 1) {
      let slot = this.#keys.at(number * WORDS) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = number + 1
    }
  }
}
