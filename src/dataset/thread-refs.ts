// Whether the rows of a thread name one and the same end user.
import { fingerprint32 } from '../columns/fingerprint.ts'
import { NumberList } from '../columns/number-list.ts'

export class ThreadRefs {
  readonly #first = new NumberList()

  /** `thread`: its number; threads come in the order of their numbers. False where the thread began with another. */
  agrees(thread: number, endUserRef: string | undefined): boolean {
    const ref = endUserRef === undefined ? 0 : fingerprint32(endUserRef)
    if (thread === this.#first.length) this.#first.push(ref)
    return this.#first.at(thread) === ref
  }
}
