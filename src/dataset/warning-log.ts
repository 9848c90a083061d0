// Gathers warnings: one of a kind in a file, with the line it was first met on and how often.
import { digits } from '../domain/digits.ts'

export interface Warning {
  readonly file: string
  readonly line?: number
  readonly message: string
}

export class WarningLog {
  readonly #first = new Map<string, Warning>()
  readonly #count = new Map<string, number>()

  add(warning: Warning, kind = warning.message): void {
    const key = `${warning.file}\n${kind}`
    if (!this.#first.has(key)) this.#first.set(key, warning)
    this.#count.set(key, (this.#count.get(key) ?? 0) + 1)
  }

  list(): string[] {
    return [...this.#first].map(([key, { file, line, message }]) => {
      const place = line === undefined ? file : `${file}:${line}`
      const more = (this.#count.get(key) ?? 1) - 1
      return `${place}: ${message}${more === 0 ? '' : ` (and ${digits(more)} more such ${more === 1 ? 'row' : 'rows'})`}`
    })
  }
}
