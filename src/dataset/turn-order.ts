// The turns of one thread: in which order they go, and whether their numbers are whole.

export interface TurnPlace {
  /** Number of the row in its file, in the order of the file. */
  readonly row: number
  readonly line: number
  /** As written, `undefined` where the cell is empty. */
  readonly turn: number | undefined
}

export interface TurnFault {
  readonly line: number
  readonly message: string
}

export interface TurnOrder {
  readonly order: readonly TurnPlace[]
  readonly faults: readonly TurnFault[]
}

/** `thread`: its name as shown in messages. `mayHaveGaps`: rows are known to be missing, or may be. */
export function orderTurns(places: readonly TurnPlace[], thread: string, mayHaveGaps: boolean): TurnOrder {
  const first = places[0]
  if (first === undefined) return { order: [], faults: [] }
  const odd = places.find((place) => (place.turn === undefined) !== (first.turn === undefined))
  if (odd !== undefined) {
    const [here, there] = odd.turn === undefined ? ['empty', 'filled'] : ['filled', 'empty']
    const message = `the turn of ${thread} is ${here} here and ${there} in line ${first.line}; number all rows of a thread, or none`
    return { order: places, faults: [{ line: odd.line, message }] }
  }
  const order = places.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
  return { order, faults: findTurnFaults(order, thread, mayHaveGaps) }
}

function findTurnFaults(order: readonly TurnPlace[], thread: string, mayHaveGaps: boolean): TurnFault[] {
  const faults: TurnFault[] = []
  let before: TurnPlace | undefined
  for (const place of order) {
    const { turn, line } = place
    if (turn === undefined) break
    if (before?.turn === turn)
      faults.push({
        line,
        message: `turn ${turn} of ${thread} stands in line ${before.line} already; give each row of a thread its own turn`,
      })
    else if (!mayHaveGaps && before === undefined && turn > 1)
      faults.push({ line, message: `${thread} begins with turn ${turn}; number its turns from 0 or 1` })
    else if (!mayHaveGaps && before?.turn !== undefined && turn > before.turn + 1)
      faults.push({
        line,
        message: `${thread} goes from turn ${before.turn} (line ${before.line}) to turn ${turn}; number its turns without gaps, or add the missing row`,
      })
    before = place
  }
  return faults
}
