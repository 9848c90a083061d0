// Pieces of a file, read again from where they lie: mostly one after the other, in a few places at a time.

/** Bytes that are read at once, and kept for the pieces that follow. */
const WINDOW = 2 ** 16
/** Of a run whose threads take turns, answers to neighbours in the set lie as far apart as a thread has turns. */
const WINDOWS = 12

export interface Windows {
  /** The text of these bytes, as far as the file has them. */
  readonly text: (offset: number, length: number) => string
  /** Lets go of what is kept. */
  readonly close: () => void
}

interface Window {
  readonly bytes: Buffer
  from: number
  /** Bytes from there on that the file had. */
  filled: number
  lastUse: number
}

/**
 * `read`: fills the buffer from an offset of the file on, and says with how many bytes. What the file holds may grow
 * meanwhile, but not change.
 */
export function openWindows(read: (bytes: Buffer, offset: number) => number): Windows {
  const windows: Window[] = []
  let uses = 0

  const find = (offset: number, length: number): Window | undefined =>
    windows.find(({ from, filled }) => offset >= from && offset + length <= from + filled)

  /** The one that was not used for the longest time makes room. */
  const makeRoom = (): Window => {
    if (windows.length === WINDOWS)
      return windows.reduce((old, one) => (one.lastUse < old.lastUse ? one : old))
    const window = { bytes: Buffer.allocUnsafeSlow(WINDOW), from: 0, filled: 0, lastUse: 0 }
    windows.push(window)
    return window
  }
  const open = (offset: number): Window => {
    const window = makeRoom()
    window.filled = 0
    window.filled = read(window.bytes, offset)
    window.from = offset
    return window
  }

  return {
    text: (offset, length) => {
      if (length > WINDOW) {
        const bytes = Buffer.allocUnsafeSlow(length)
        return bytes.toString('utf8', 0, read(bytes, offset))
      }
      const window = find(offset, length) ?? open(offset)
      window.lastUse = uses += 1
      const start = offset - window.from
      return window.bytes.toString('utf8', start, Math.min(start + length, window.filled))
    },
    close: () => {
      windows.length = 0
    },
  }
}
