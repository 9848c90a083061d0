// The JSON Schema of the config file, made of the option table.
import * as z from 'zod'
import type { Option } from '../library/option-table.ts'
import { optionsByKey } from '../library/options.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Every option that may stand in the file, and `targets`; it rejects unknown keys, as the program does. */
export function configSchema(): JsonSchema {
  return {
    // A file in which everything is commented out is empty, which YAML calls null.
    type: ['object', 'null'],
    properties: {
      ...propertiesOf(({ config }) => config !== undefined),
      targets: {
        description:
          'Where to send, by name. --target chooses one. A key of a target overrides the same key of the file.',
        type: 'object',
        minProperties: 1,
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
