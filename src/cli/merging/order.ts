// The order of the whole set from what its parts know of it.

export interface NumberedQuestion {
  readonly number: number
  readonly file: number
  readonly line: number
  readonly turn: number
}

interface Whole {
  /** Questions were numbered below this when the parts were started: in the order of the set. */
  readonly numbered: number
  /** Numbers that a part holds, also of questions that have left the set. */
  readonly taken: ReadonlyMap<number, unknown>
  /** How many questions the whole set has. */
  readonly size: number
}

/**
 * Numbers in the order of the set, as many as it has: those that no part holds are of parts that are not there. Numbers tell
 * the order until a changed set is taken on; from then on the lines of the files do, which always tell that of what is here.
 */
export function orderQuestions(standing: readonly NumberedQuestion[], whole: Whole): number[] {
  const inOrder = standing
    .toSorted((a, b) => a.file - b.file || a.line - b.line || a.turn - b.turn || a.number - b.number)
    .map(({ number }) => number)
  const isUnchanged = inOrder.every(
    (number, place) => number < whole.numbered && (inOrder[place - 1] ?? -1) < number,
  )
  const absent = absentNumbers(whole, whole.size - standing.length)
  return isUnchanged ? [...inOrder, ...absent].sort((a, b) => a - b) : [...inOrder, ...absent]
}

/** The lowest that are free; beyond those given at the start, any that nobody holds. */
function absentNumbers({ taken }: Whole, count: number): number[] {
  const absent: number[] = []
  for (let number = 0; absent.length < count; number += 1) if (!taken.has(number)) absent.push(number)
  return absent
}
