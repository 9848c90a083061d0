// What is wrong or odd with files that are read: faults with file and line, warnings once a kind and file.
import { digits } from '../domain/text.ts'

export interface Remark {
  /** Physical line, from 1, on which the record begins; absent: the whole file. */
  readonly line?: number
  /** Name of the column, where one cell is at fault. */
  readonly column?: string
  /** What is wrong, and the fix, in one line. */
  readonly message: string
}

/** Of the header. */
export type HeaderFault = Omit<Remark, 'line'>

export interface Fault extends Remark {
  /** As the user named it. */
  readonly file: string
}

export const formatFault = ({ file, line, message }: Fault): string =>
  line === undefined ? `${file}: ${message}` : `${file}:${line}: ${message}`

/** Of one file. */
export interface FileRemarks {
  readonly fail: (remark: Remark) => void
  /** Remarks of one `kind` (the message itself by default) are shown once a file, with their count. */
  readonly warn: (remark: Remark, kind?: string) => void
}

/** A set of a million broken rows must not cost a million messages of memory. */
const MOST_FAULTS = 1000

/** Of all files that are read together. */
export class Remarks {
  readonly #faults: { readonly file: number; readonly fault: Fault }[] = []
  readonly #warnings = new Map<string, { readonly warning: Fault; count: number }>()
  /** Faults that were counted but not kept. */
  truncated = 0

  /** `number`: which of the files, from 0; a file may be named twice. */
  of(number: number, file: string): FileRemarks {
    return {
      fail: (remark) => {
        if (this.#faults.length < MOST_FAULTS) this.#faults.push({ file: number, fault: { file, ...remark } })
        else this.truncated += 1
      },
      warn: (remark, kind = remark.message) => {
        const key = `${number} ${kind}`
        const known = this.#warnings.get(key)
        if (known === undefined) this.#warnings.set(key, { warning: { file, ...remark }, count: 1 })
        else known.count += 1
      },
    }
  }

  /** In the order of the files and their lines. */
  faults(): Fault[] {
    return this.#faults
      .toSorted((a, b) => a.file - b.file || (a.fault.line ?? 0) - (b.fault.line ?? 0))
      .map(({ fault }) => fault)
  }

  warnings(): string[] {
    return Array.from(this.#warnings.values(), ({ warning, count }) => {
      const more = count - 1
      return `${formatFault(warning)}${more === 0 ? '' : ` (and ${digits(more)} more such ${more === 1 ? 'row' : 'rows'})`}`
    })
  }
}
