// The JSON Schemas that the package ships: of the config file, of the sandbox's, and of `summary.json`.
import * as z from 'zod'
import { summarySchema } from '../domain/summary.ts'
import { sandboxConfigSchema } from '../sandbox/config.ts'
import { configSchema, type JsonSchema } from './config-schema.ts'

export const schemaText = (schema: JsonSchema): string => `${JSON.stringify(schema, null, 2)}\n`

/** File names under `schemas`, and what stands in them. */
export function makeSchemas(): ReadonlyMap<string, JsonSchema> {
  const config =
    'The config file of assist-harness (assist-harness.yaml): options of run and load, and targets'
  const made: [name: string, title: string, body: JsonSchema][] = [
    ['config', config, configSchema()],
    ['sandbox', 'The config file of the sandbox (sandbox --config)', ofValues(sandboxConfigSchema, 'input')],
    ['summary', 'summary.json: the figures of a run', ofValues(summarySchema, 'output')],
  ]
  return new Map(
    made.map(([name, title, body]) => {
      const file = `${name}.schema.json`
      const head = {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `urn:assist-harness:${file}`,
      }
      return [file, { ...head, title, ...body }]
    }),
  )
}

/** Later versions may add figures to what is written: a reader that knows none of them reads on. */
function ofValues(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _draft, ...body } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return body
}
