// A YAML file as values. A file of its own: YAML takes long to load, and most commands read none.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { messageOf, UsageError } from '../library/usage-error.ts'

const NOT_FOUND = 'file not found; check its name and the current folder'

/** Throws UsageError if there is no such file or it is not YAML. */
export function readYaml(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const fault =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? NOT_FOUND : `cannot be read (${messageOf(error)})`
    throw new UsageError(`${file}: ${fault}`)
  }
  try {
    return parse(text, { prettyErrors: true, uniqueKeys: true, maxAliasCount: 100 }) as unknown
  } catch (error) {
    const [what = ''] = messageOf(error).split('\n')
    throw new UsageError(`${file}: not valid YAML: ${what.replace(/:$/, '')}`)
  }
}
