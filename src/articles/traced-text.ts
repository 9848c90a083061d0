// A text that is rewritten step by step, with the way back to the first one.

export type Written = (match: RegExpExecArray) => string

/** Each character knows where it, or what it stands for, is in the first text. */
export class TracedText {
  text: string
  #starts: number[] | undefined
  #ends: number[] = []

  constructor(text: string) {
    this.text = text
  }

  originOf(start: number, end: number): readonly [start: number, end: number] {
    return [this.#starts?.[start] ?? start, this.#starts === undefined ? end : (this.#ends[end - 1] ?? end)]
  }

  /** Text that stays as it was keeps its places; any other has the place of what it stands for. */
  replace(pattern: RegExp, written: string | Written): this {
    // Most texts have no match, and an iterator over matches takes ten times as long.
    if (this.text.search(pattern) === -1) return this
    const [starts, ends]: [number[], number[]] = [[], []]
    let [text, done] = ['', 0]
    const write = (piece: string, from: number, to: number): void => {
      const isSame = piece === this.text.slice(from, to)
      for (let index = from; index < from + piece.length; index += 1) {
        const [start, end] = isSame ? this.originOf(index, index + 1) : this.originOf(from, to)
        starts.push(start)
        ends.push(end)
      }
      text += piece
      done = to
    }
    for (const match of this.text.matchAll(pattern)) {
      write(this.text.slice(done, match.index), done, match.index)
      write(
        typeof written === 'string' ? written : written(match),
        match.index,
        match.index + match[0].length,
      )
    }
    write(this.text.slice(done), done, this.text.length)
    this.text = text
    this.#starts = starts
    this.#ends = ends
    return this
  }
}
