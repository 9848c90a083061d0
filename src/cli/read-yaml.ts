// A YAML file as values. A file of its own: YAML takes long to load, and most commands read none.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { messageOf, UsageError } from '../library/usage-error.ts'

/** Throws UsageError where there is no such file or it is not YAML. */
export function readYaml(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file}: cannot be read (${messageOf(error)})`)
  }
  try {
    return parse(text, { prettyErrors: true, uniqueKeys: true, maxAliasCount: 100 }) as unknown
  } catch (error) {
    throw new UsageError(`${file}: is not YAML: ${messageOf(error).trim()}`)
  }
}
