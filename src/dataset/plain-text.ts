// Text as the parser gets it: one kind of line end, and no NUL. Line ends belong to the file, not to the question.

/** Folds CRLF and CR into LF over chunks, counts lines, and stops at the first NUL. */
export class PlainText {
  #pendingReturn = false
  #line = 1
  /** Line of the first NUL; text from its chunk on is not handed out. */
  nulLine: number | undefined

  write(text: string): string {
    if (this.nulLine !== undefined || text === '') return ''
    // A CR at the end of a chunk waits: an LF may follow it.
    const whole = this.#pendingReturn ? `\r${text}` : text
    this.#pendingReturn = whole.endsWith('\r')
    return this.#take(this.#pendingReturn ? whole.slice(0, -1) : whole)
  }

  end(): string {
    return this.#pendingReturn && this.nulLine === undefined ? '\n' : ''
  }

  #take(text: string): string {
    const folded = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
    const nul = folded.indexOf('\0')
    const lines = countLineEnds(nul === -1 ? folded : folded.slice(0, nul))
    if (nul !== -1) this.nulLine = this.#line + lines
    this.#line += lines
    return nul === -1 ? folded : ''
  }
}

export function countLineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** A text that is at hand as a whole. */
export const foldLineEnds = (text: string): string => text.replaceAll(/\r\n?/g, '\n')
