// A list of values as JSON in bytes, put together as they come: the values themselves need not be held.

const FIRST_SIZE = 2 ** 16

export interface JsonList {
  readonly add: (value: unknown) => void
  readonly length: () => number
  /** The bytes of the whole list, until it is added to again; begins a new one. */
  readonly take: () => Uint8Array
}

export function createJsonList(): JsonList {
  let bytes = Buffer.alloc(FIRST_SIZE)
  let [filled, count] = [0, 0]
  const append = (text: string): void => {
    // A UTF-16 code unit has three bytes at most.
    const needed = filled + 3 * text.length
    if (needed > bytes.length) {
      const longer = Buffer.alloc(2 * needed)
      bytes.copy(longer, 0, 0, filled)
      bytes = longer
    }
    filled += bytes.write(text, filled)
  }
  return {
    add: (value) => {
      append(count === 0 ? '[' : ',')
      append(JSON.stringify(value))
      count += 1
    },
    length: () => count,
    take: () => {
      if (count === 0) append('[')
      append(']')
      const whole = bytes.subarray(0, filled)
      ;[filled, count] = [0, 0]
      return whole
    },
  }
}
