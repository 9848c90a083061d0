// `npm run build:package`: what the package ships beside the program: the library's declarations, and the schemas.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { optionEntries, toCamelCase } from '../cli/options/run-options.ts'
import { COMPARISON, makeSchemas } from './schemas.ts'
import { writeDeclarations } from './types/declarations.ts'
import { readTypes } from './types/program-types.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ENTRY = 'src/library/index.ts'
const NOTE =
  "// What `import … from 'assist-harness'` gives. Made by `npm run build:package` of src/library.\n\n"

const types = readTypes(root, [ENTRY, COMPARISON])
const docs = new Map(
  optionEntries.map(([name, { describe, default: byDefault }]) => [
    toCamelCase(name),
    `${describe}${byDefault === undefined ? '' : ` [default: ${byDefault}]`}`,
  ]),
)
mkdirSync(`${root}dist/types`, { recursive: true })
writeFileSync(`${root}dist/types/index.d.ts`, NOTE + writeDeclarations(types, ENTRY, docs))
mkdirSync(`${root}schemas`, { recursive: true })
for (const [name, schema] of makeSchemas(types))
  writeFileSync(`${root}schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`)
