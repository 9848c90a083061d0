// Code blocks of the README, as a reader would paste them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './program.ts'

/** The one `yaml` block that begins with a comment naming this file. Throws where there is none. */
export function readmeFile(name: string): string {
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```yaml\n(# .*\n[^]*?)^```$/gm)].map(([, text = '']) => text)
  const found = blocks.find((text) => text.startsWith(`# ${name}\n`))
  if (found === undefined) throw new Error(`the README shows no ${name}`)
  return found
}
