// `npm run build:package`: rewrites the JSON Schemas, the generated reference pages, and the interface of the
// options.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'
import { INTERFACES_FILE, makeInterfaces } from './interfaces.ts'
import { makeReference } from './reference.ts'
import { makeSchemas } from './schemas.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

for (const [name, text] of makeSchemas()) writeFileSync(`${root}schemas/${name}`, text)
for (const [name, text] of makeReference()) writeFileSync(`${root}docs/reference/${name}`, text)
const style = { semi: false, singleQuote: true, printWidth: 110 }
writeFileSync(`${root}${INTERFACES_FILE}`, await format(makeInterfaces(), { ...style, parser: 'typescript' }))
