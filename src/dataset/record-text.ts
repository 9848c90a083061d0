// One record read strictly out of its text: for the delimiter's trial, and to tell what is wrong with its quotes.

export interface RecordText {
  readonly cells: readonly string[]
  /** Where the next record begins. */
  readonly end: number
  /** The cell whose quote is not closed, or is followed by more text. Nothing after it was read. */
  readonly broken?: { readonly cell: number; readonly at: number }
}

export type RecordScanner = (text: string, start: number) => RecordText

/** White space around a quoted cell is no part of it; a quote inside an unquoted cell is text. */
export function createRecordScanner(delimiter: string): RecordScanner {
  const blank = `[^\\S\\n${delimiter}]*`
  const quoted = new RegExp(`${blank}"([^"]*(?:""[^"]*)*)"${blank}(?=[${delimiter}\\n]|$)`, 'y')
  const opened = new RegExp(`${blank}"`, 'y')
  const bare = new RegExp(`[^\\n${delimiter}]*`, 'y')
  const match = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  return (text, start) => {
    const cells: string[] = []
    for (let at = start; ; at += 1) {
      const inQuotes = match(quoted, text, at)
      if (inQuotes === null && match(opened, text, at) !== null)
        return { cells, end: text.length, broken: { cell: cells.length, at } }
      const cell = inQuotes ?? match(bare, text, at)
      cells.push(inQuotes?.[1]?.replaceAll('""', '"') ?? cell?.[0] ?? '')
      at += cell?.[0].length ?? 0
      if (text[at] !== delimiter) return { cells, end: at + 1 }
    }
  }
}
