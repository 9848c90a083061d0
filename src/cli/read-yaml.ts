// Reads YAML. A file of its own: the package takes long to load, and most commands need none.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { messageOf, UsageError } from '../options/faults.ts'

/** Throws UsageError if there is no such file or it is not YAML. */
export function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'), { maxAliasCount: 100 }) as unknown
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    const [what = ''] = messageOf(error).split('\n')
    if (code === 'ENOENT')
      throw new UsageError(`${file}: no such file; check its name and the current folder`)
    if (syscall !== undefined) throw new UsageError(`${file}: cannot be read (${what})`)
    throw new UsageError(`${file}: not valid YAML: ${what.replace(/:$/, '')}`)
  }
}
