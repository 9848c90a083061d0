// The import formats, and how a file's format is chosen.
import { columnKey } from './columns.ts'
import { copilotResults, copilotTestSet } from './imports/copilot.ts'
import type { Format } from './imports/format.ts'
import { pairs } from './imports/pairs.ts'
import { promptfoo } from './imports/promptfoo.ts'

const FORMATS = [promptfoo, copilotResults, copilotTestSet, pairs] as const

export const NATIVE = 'native'

export const FORMAT_NAMES: readonly string[] = [...FORMATS.map(({ name }) => name), NATIVE]

/** Finds the format of this name, else the one that the header shows; undefined for a native set. */
export function chooseFormat(header: readonly string[], format: string | undefined): Format | undefined {
  if (format !== undefined) return FORMATS.find(({ name }) => name === format)
  const headers = header.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const keys = headers.map(columnKey)
  // Only the harness uses these four names together, so a set that it has written is never imported.
  if (['thread', 'turn', 'id', 'message'].every((name) => keys.includes(name))) return undefined
  return FORMATS.find((known) => known.recognises(keys, headers))
}
