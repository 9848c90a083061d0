// The order of texts that everything written goes by: the same on every machine, whatever its language.

/** By UTF-16 code units, for `sort`. */
export const compareTexts = (some: string, other: string): number =>
  some < other ? -1 : some > other ? 1 : 0
