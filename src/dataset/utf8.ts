// Is a file valid UTF-8? Told over its bytes as they stream by, with the line of the first that is not.

const LF = 0x0a
const CR = 0x0d

/** The WHATWG decoder's state machine: no overlong forms, no surrogates, nothing over U+10FFFF. */
export class Utf8Check {
  #line = 1
  #lastByte = 0
  #missing = 0
  #lower = 0x80
  #upper = 0xbf
  /** Line, from 1, of the first byte that is not UTF-8. */
  brokenLine: number | undefined

  write(bytes: Uint8Array): void {
    if (this.brokenLine !== undefined) return
    let last = this.#lastByte
    // Counted by hand: an iterator takes three times as long.
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0
      if (this.#missing === 0 && byte < 0x80) {
        if (byte === CR || (byte === LF && last !== CR)) this.#line += 1
      } else if (!this.#take(byte)) {
        this.brokenLine = this.#line
        return
      }
      last = byte
    }
    this.#lastByte = last
  }

  end(): void {
    if (this.#missing > 0) this.brokenLine ??= this.#line
  }

  #take(byte: number): boolean {
    if (this.#missing === 0) return this.#begin(byte)
    if (byte < this.#lower || byte > this.#upper) return false
    this.#lower = 0x80
    this.#upper = 0xbf
    this.#missing -= 1
    return true
  }

  #begin(byte: number): boolean {
    if (byte < 0xc2 || byte > 0xf4) return false
    this.#missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
    if (byte === 0xe0) this.#lower = 0xa0
    if (byte === 0xed) this.#upper = 0x9f
    if (byte === 0xf0) this.#lower = 0x90
    if (byte === 0xf4) this.#upper = 0x8f
    return true
  }
}
