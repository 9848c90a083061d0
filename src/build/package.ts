// `npm run build:package`: rewrites the JSON Schemas and the generated reference pages.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeReference } from './reference.ts'
import { makeSchemas, schemaText } from './schemas.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

for (const [name, schema] of makeSchemas()) writeFileSync(`${root}schemas/${name}`, schemaText(schema))
mkdirSync(`${root}docs/reference`, { recursive: true })
for (const [name, text] of makeReference()) writeFileSync(`${root}docs/reference/${name}`, text)
