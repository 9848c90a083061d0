// The ids that stand in the files of a run: each may stand once.
import { NumberList } from '../columns/number-list.ts'
import { NameIndex } from '../columns/name-index.ts'

export interface WrittenAt {
  readonly file: number
  readonly line: number
}

export class WrittenIds {
  readonly #index = new NameIndex()
  readonly #files = new NumberList()
  readonly #lines = new NumberList()

  /** Where the id stands already, if it does. */
  add(id: string, { file, line }: WrittenAt): WrittenAt | undefined {
    const known = this.#index.size
    const number = this.#index.add(id)
    if (number < known) return { file: this.#files.at(number), line: this.#lines.at(number) }
    this.#files.push(file)
    this.#lines.push(line)
    return undefined
  }
}
