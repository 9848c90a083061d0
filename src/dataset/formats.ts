// The formats of other tools, in the order they are tried, and what a user says of a file's format.
import { columnKey } from './columns.ts'
import { botium } from './importers/botium.ts'
import { copilotResults } from './importers/copilot-results.ts'
import { copilotTestSet } from './importers/copilot-test-set.ts'
import { googleCx } from './importers/google-cx.ts'
import type { Importer } from './importers/importer.ts'
import { pairs } from './importers/pairs.ts'
import { promptfoo } from './importers/promptfoo.ts'

const IMPORTERS = [promptfoo, copilotResults, copilotTestSet, googleCx, botium, pairs] as const

/** The harness's own form, as `--format` names it: nothing is imported. */
export const NATIVE = 'native'

/** As `--format` takes them. */
export const FORMAT_NAMES: readonly string[] = [...IMPORTERS.map(({ name }) => name), NATIVE]

/** What is said of all files of a command; nothing said, each is recognised by its header. */
export interface FormatChoice {
  readonly format?: string | undefined
}

/** `undefined`: the file is in the harness's own form, or meant to be. */
export function chooseImporter(header: readonly string[], format: string | undefined): Importer | undefined {
  if (format !== undefined) return IMPORTERS.find(({ name }) => name === format)
  return isOwnForm(header) ? undefined : IMPORTERS.find((importer) => importer.recognises(header))
}

/** Names its columns as only the harness does: so every set that it has written stays its own. */
function isOwnForm(header: readonly string[]): boolean {
  const keys = new Set(header.map(columnKey))
  return ['thread', 'turn', 'id', 'message'].every((name) => keys.has(name))
}
