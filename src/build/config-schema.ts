// The JSON Schema of the config file, made of the options' own declarations.
import { optionEntries, toCamelCase } from '../cli/options/run-options.ts'
import type { OptionSpec } from '../cli/options/option-spec.ts'
import { wordsOfChoice } from '../cli/options/choice.ts'
import { formOf, type Form } from '../cli/options/form.ts'

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
    anyOf: kindsOf(spec),
  }
}

/** YAML has numbers and lists of its own. */
function kindsOf({ kind, value }: OptionSpec): JsonSchema[] {
  if (kind === 'flag') return [{ type: 'boolean' }]
  const form = formOf(value)
  const one = form === undefined ? [{ type: ['string', 'number'] }] : written(form)
  if (kind === 'list') return [...one, { type: 'array', items: { anyOf: one }, minItems: 1 }]
  // Editors propose what stands in an enum, and do not know that the program takes the words in any case.
  const words = wordsOfChoice(value)
  return words === undefined ? one : [{ enum: [...words] }, ...one]
}

const written = ({ text, number }: Form): JsonSchema[] => [
  { type: 'string', pattern: String.raw`^\s*(?:${text})\s*$` },
  ...(number === undefined ? [] : [number]),
]
