// A YAML file as values.
import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { UsageError } from '../library/usage-error.ts'

/** Throws UsageError where there is no such file or it is not YAML. */
export function readYaml(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file}: cannot be read (${error instanceof Error ? error.message : 'unknown'})`)
  }
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true })
  const [fault] = document.errors
  if (fault !== undefined) throw new UsageError(`${file}: is not YAML: ${fault.message.trim()}`)
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown
  } catch (error) {
    throw new UsageError(`${file}: cannot be read (${error instanceof Error ? error.message : 'unknown'})`)
  }
}
