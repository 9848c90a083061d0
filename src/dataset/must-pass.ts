// A cell that says whether a question must pass.
import { excerpt } from './excerpt.ts'
import { value, wrong, type CellReading } from './reading.ts'

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['x', true],
  ['false', false],
  ['no', false],
  ['0', false],
])

export function readMustPass(text: string): CellReading<boolean> {
  const answer = WORDS.get(text.toLowerCase())
  return answer === undefined
    ? wrong(`must_pass ${excerpt(text)} is neither yes nor no; write true or false, yes or no, 1 or 0, or x`)
    : value(answer)
}
