// The JSON Schemas that the package ships: config file, sandbox config file and `summary.json`.
import * as z from 'zod'
import { summarySchema } from '../domain/summary.ts'
import { exampleOf, optionEntries, type Option, shownDefault } from '../options/table.ts'
import { names } from '../options/values.ts'
import { sandboxConfigSchema } from '../sandbox/config.ts'

type JsonSchema = Readonly<Record<string, unknown>>

export const makeSchemas = (): ReadonlyMap<string, string> =>
  new Map([
    schemaFile(
      'config',
      'The config file of assist-harness (assist-harness.yaml): options of run and load, question sets and ' +
        'targets',
      configSchema(),
    ),
    schemaFile(
      'sandbox',
      'The config file of the sandbox (sandbox --config)',
      toJsonSchema(sandboxConfigSchema, 'input'),
    ),
    schemaFile('summary', 'summary.json: the figures of a run', toJsonSchema(summarySchema, 'output')),
  ])

function schemaFile(name: string, title: string, body: JsonSchema): [file: string, text: string] {
  const [file, $schema] = [`${name}.schema.json`, 'https://json-schema.org/draft/2020-12/schema']
  const whole = { $schema, $id: `urn:assist-harness:${file}`, title, ...body }
  return [file, `${JSON.stringify(whole, null, 2)}\n`]
}

/** Makes a schema. Output schemas allow unknown properties: later versions may add figures. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _draft, ...body } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return body
}

export const DATASETS =
  'Question sets of `run`, `load` and `estimate`, where none stands on the command line. Paths are ' +
  'relative to the working directory.'

function configSchema(): JsonSchema {
  return {
    // YAML reads a file with only comments as null.
    type: ['object', 'null'],
    properties: {
      datasets: { description: DATASETS, ...toJsonSchema(names.typed, 'input') },
      ...optionSchemas(({ config }) => config !== undefined),
      targets: {
        description:
          'Where to send, by name. --target chooses one. A key of a target overrides the same key of the ' +
          'file.',
        type: ['object', 'null'],
        propertyNames: { pattern: String.raw`^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$` },
        additionalProperties: { anyOf: [{ $ref: '#/$defs/target' }, { type: 'null' }] },
      },
    },
    additionalProperties: false,
    $defs: {
      target: {
        type: 'object',
        properties: optionSchemas(({ config }) => config === 'target'),
        additionalProperties: false,
      },
    },
  }
}

const optionSchemas = (isIncluded: (option: Option) => boolean): Record<string, JsonSchema> =>
  Object.fromEntries(
    optionEntries
      .filter(([, option]) => isIncluded(option))
      .map(([name, option]) => {
        const description = `${describeWithDefault(option)} On the command line: ${exampleOf(name, option)}`
        return [name, { description, ...toJsonSchema(option.value.typed, 'input') }]
      }),
  )

export const describeOption = ({ describe }: Option): string => describe.replace(' (repeatable)', '')

export function describeWithDefault(option: Option): string {
  const byDefault = shownDefault(option)
  return describeOption(option) + (byDefault === undefined ? '' : ` Default: ${byDefault}.`)
}
