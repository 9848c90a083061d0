// What is wrong with a question set, where, and how to mend it.

export interface Fault {
  /** As the user named it. */
  readonly file: string
  /** Physical line, from 1, on which the record begins; absent: the whole file. */
  readonly line?: number
  /** Name of the column, where one cell is at fault. */
  readonly column?: string
  /** What is wrong, and the mend, in one line. */
  readonly message: string
}

export const formatFault = ({ file, line, message }: Fault): string =>
  line === undefined ? `${file}: ${message}` : `${file}:${line}: ${message}`
