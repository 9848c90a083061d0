// Texts as numbers, the same number for the same text wherever it stands: what pairing compares in their place.

/** Of a text, 0, 1, 2 … in the order in which texts first come. */
export type NumberOf = (text: string) => number

export function createNumbering(): NumberOf {
  const numbers = new Map<string, number>()
  return (text) => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }
}

/** The same of two whole numbers from 0 on, each below 2^26. */
export function createPairNumbering(): (some: number, other: number) => number {
  const numbers = new Map<number, number>()
  return (some, other) => {
    const key = some * 2 ** 26 + other
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, numbers.size)
    return numbers.size - 1
  }
}
