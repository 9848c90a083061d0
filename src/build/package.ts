// `npm run build:package`: rewrites the JSON Schemas and the generated reference pages.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeReference } from './reference.ts'
import { makeSchemas } from './schemas.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

for (const [name, text] of makeSchemas()) writeFileSync(`${root}schemas/${name}`, text)
for (const [name, text] of makeReference()) writeFileSync(`${root}docs/reference/${name}`, text)
