// `npm run build:package`: what the package ships beside the program: the library's declarations, and the schemas.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageTexts } from './package-texts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

for (const [name, text] of packageTexts(root)) {
  mkdirSync(dirname(root + name), { recursive: true })
  writeFileSync(root + name, text)
}
