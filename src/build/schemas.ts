// The JSON Schemas that the package ships: of the config file, of the sandbox's, and of `summary.json`.
import * as z from 'zod'
import { summarySchema } from '../domain/summary.ts'
import type { Option } from '../library/option-table.ts'
import { optionsByKey } from '../library/options.ts'
import { sandboxConfigSchema } from '../sandbox/config.ts'

type JsonSchema = Readonly<Record<string, unknown>>

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

/** Every option that may stand in the file, and `targets`; it rejects unknown keys, as the program does. */
function configSchema(): JsonSchema {
  return {
    // A file in which everything is commented out is empty, which YAML calls null.
    type: ['object', 'null'],
    properties: {
      ...propertiesOf(({ config }) => config !== undefined),
      targets: {
        description:
          'Where to send, by name. --target chooses one. A key of a target overrides the same key of the file.',
        type: ['object', 'null'],
        propertyNames: { pattern: String.raw`^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$` },
        additionalProperties: { anyOf: [{ $ref: '#/$defs/target' }, { type: 'null' }] },
      },
    },
    additionalProperties: false,
    $defs: {
      target: {
        type: 'object',
        properties: propertiesOf(({ config }) => config === 'target'),
        additionalProperties: false,
      },
    },
  }
}

const propertiesOf = (isTaken: (option: Option) => boolean): Record<string, JsonSchema> =>
  Object.fromEntries([...optionsByKey(isTaken)].map(([key, option]) => [key, property(option)]))

function property(option: Option): JsonSchema {
  const { value, describe, details, example, default: byDefault } = option
  const { $schema: _draft, ...schema } = z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' })
  const sentences = [
    `${describe.replace(' (repeatable)', '')}.`,
    ...(details === undefined ? [] : [details]),
    ...(byDefault === undefined ? [] : [`Default: ${byDefault}.`]),
    `On the command line: ${example}`,
  ]
  return { description: sentences.join(' '), ...schema }
}
