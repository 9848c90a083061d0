// Cells that hold a number: a place in a thread, a similarity, milliseconds.
import { excerpt } from './excerpt.ts'
import { value, wrong, type CellReading } from './reading.ts'

/** Larger than any thread; smaller than what stands for an absent turn where turns are kept as numbers. */
const LARGEST_TURN = 1_000_000_000

/** A whole number; `3.0` is one, as tables with gaps are often exported so. */
export function readTurn(text: string): CellReading<number> {
  const number = /^\d+([.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : undefined
  return number === undefined || number > LARGEST_TURN
    ? wrong(
        `turn ${excerpt(text)} is no whole number from 0 on; write the place in the thread, such as 1, 2, 3`,
      )
    : value(number)
}

/** From 0 to 1, with a decimal point or, as many spreadsheets write it, a comma. */
export function readSimilarity(text: string): CellReading<number> {
  const number = readDecimal(text)
  return number === undefined || number > 1
    ? wrong(`min_similarity ${excerpt(text)} is no number from 0 to 1; write one such as 0.7`)
    : value(number)
}

/** Over 0, and without a separator of thousands, which could as well be a decimal sign. */
export function readMilliseconds(text: string): CellReading<number> {
  if (/^[1-9]\d{0,2}([.,]\d{3})+$/.test(text))
    return wrong(
      `max_latency_ms ${excerpt(text)} can be read in two ways; write it without a separator, such as 1500`,
    )
  const number = readDecimal(text)
  return number === undefined || number === 0
    ? wrong(
        `max_latency_ms ${excerpt(text)} is no number of milliseconds over 0; write one such as 3000 for three seconds`,
      )
    : value(number)
}

function readDecimal(text: string): number | undefined {
  if (!/^(\d+([.,]\d*)?|[.,]\d+)$/.test(text)) return undefined
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : undefined
}
