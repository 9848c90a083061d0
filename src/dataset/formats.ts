// The formats of other tools, in the order they are tried, and what a user says of a file's format.
import { columnKey } from './columns.ts'
import { botium } from './imports/botium.ts'
import { copilotResults, copilotTestSet } from './imports/copilot.ts'
import type { Format } from './imports/format.ts'
import { googleCx } from './imports/google-cx.ts'
import { pairs } from './imports/pairs.ts'
import { promptfoo } from './imports/promptfoo.ts'

const FORMATS = [promptfoo, copilotResults, copilotTestSet, googleCx, botium, pairs] as const

/** The harness's own form, as `--format` names it: nothing is imported. */
export const NATIVE = 'native'

/** As `--format` takes them. */
export const FORMAT_NAMES: readonly string[] = [...FORMATS.map(({ name }) => name), NATIVE]

/** What is said of all files of a command; nothing said, each is recognised by its header. */
export interface FormatChoice {
  readonly format?: string | undefined
}

/** `undefined`: the file is in the harness's own form, or meant to be. */
export function chooseFormat(header: readonly string[], format: string | undefined): Format | undefined {
  if (format !== undefined) return FORMATS.find(({ name }) => name === format)
  const headers = header.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const keys = headers.map(columnKey)
  // Columns that only the harness names so: every set that it has written stays its own.
  if (['thread', 'turn', 'id', 'message'].every((name) => keys.includes(name))) return undefined
  return FORMATS.find((one) => one.recognises(keys, headers))
}
