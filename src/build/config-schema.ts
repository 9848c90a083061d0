// The JSON Schema of the config file, made of the options' own declarations.
import { optionEntries, toCamelCase } from '../cli/options/run-options.ts'
import type { OptionSpec } from '../cli/options/option-spec.ts'
import { wordsOfChoice } from '../cli/options/choice.ts'
import type { JsonSchema } from './types/json-schema.ts'

/** Every option that may stand in the file, and `targets`; what it does not know is refused, as the program does. */
export function configSchema(): JsonSchema {
  return {
    type: 'object',
    properties: {
      ...propertiesOf(({ config }) => config !== undefined),
      targets: {
        description:
          "Whom to ask, by name; chosen with --target. What stands here goes before the file's own",
        type: 'object',
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

const propertiesOf = (isTaken: (spec: OptionSpec) => boolean): Record<string, JsonSchema> =>
  Object.fromEntries(
    optionEntries
      .filter(([, spec]) => isTaken(spec))
      .map(([name, spec]) => [toCamelCase(name), property(spec)]),
  )

function property(spec: OptionSpec): JsonSchema {
  const { describe, example, default: byDefault } = spec
  const said = byDefault === undefined ? describe : `${describe} [default: ${byDefault}]`
  return {
    description: `${said}; as an option: ${example}`,
    anyOf: [...kindsOf(spec), { type: 'null' }],
  }
}

/** YAML has numbers and lists of its own. */
function kindsOf({ kind, value }: OptionSpec): JsonSchema[] {
  if (kind === 'flag') return [{ type: 'boolean' }]
  const text = { type: ['string', 'number'] }
  // Words of a list may stand in one text, with commas between.
  if (kind === 'list') return [text, { type: 'array', items: text, minItems: 1 }]
  const words = wordsOfChoice(value)
  return words === undefined ? [text] : [{ enum: [...words] }]
}
