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
  const blank = new RegExp(`[^\\S\\n${delimiter}]*`, 'y')
  const bare = new RegExp(`[^\\n${delimiter}]*`, 'y')
  const endOf = (pattern: RegExp, text: string, at: number): number => {
    pattern.lastIndex = at
    return pattern.test(text) ? pattern.lastIndex : at
  }
  const isEnd = (text: string, at: number): boolean =>
    at === text.length || text[at] === '\n' || text[at] === delimiter
  return (text, start) => {
    const cells: string[] = []
    for (let at = start; ; at += 1) {
      const first = endOf(blank, text, at)
      if (text[first] === '"') {
        const closing = findClosing(text, first + 1)
        const end = closing === -1 ? -1 : endOf(blank, text, closing + 1)
        if (end === -1 || !isEnd(text, end))
          return { cells, end: text.length, broken: { cell: cells.length, at } }
        cells.push(text.slice(first + 1, closing).replaceAll('""', '"'))
        at = end
      } else {
        const end = endOf(bare, text, at)
        cells.push(text.slice(at, end))
        at = end
      }
      if (text[at] !== delimiter) return { cells, end: at + 1 }
    }
  }
}

/** By hand: a pattern runs out of stack over the millions of quotes that a long answer may hold. -1: there is none. */
function findClosing(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}
