// The JSON Schema of the config file, made of the option table.
import * as z from 'zod'
import type { Option } from '../library/option-table.ts'
import { optionsByKey } from '../library/options.ts'
import { asTyped } from '../library/usage-error.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Every option that may stand in the file, and `targets`; what it does not know is refused, as the program does. */
export function configSchema(): JsonSchema {
  return {
    // A file in which everything is commented out is empty, which YAML calls null.
    type: ['object', 'null'],
    properties: {
      ...propertiesOf(({ config }) => config !== undefined),
      targets: {
        description:
          "Whom to ask, by name; chosen with --target. What stands here goes before the file's own",
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
  Object.fromEntries([...optionsByKey(isTaken)].map(([key, option]) => [key, property(key, option)]))

function property(key: string, { value, describe, example, default: byDefault }: Option): JsonSchema {
  const { $schema: _draft, ...schema } = z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' })
  const said = byDefault === undefined ? describe : `${describe} [default: ${byDefault}]`
  return { description: `${said}; as an option, ${asTyped(key)}: ${example}`, ...schema }
}
