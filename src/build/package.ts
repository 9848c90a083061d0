// `npm run build:package`: the JSON Schemas, written anew into schemas/.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeSchemas, schemaText } from './schemas.ts'

const folder = fileURLToPath(new URL('../../schemas/', import.meta.url))

for (const [name, schema] of makeSchemas()) writeFileSync(folder + name, schemaText(schema))
