// Makes the declarations of src/options/written.ts, documented from the table: a mapped type is not.
import { COMMANDS } from '../cli/command-table.ts'
import { optionNames, optionsOf } from '../options/settings.ts'
import { optionEntries, type Option } from '../options/table.ts'
import { describeWithDefault, toJsonSchema } from './schemas.ts'

export const WRITTEN_OPTIONS = 'dist/options/written.d.ts'

export function declareWrittenOptions(): string {
  const keys = [
    ...COMMANDS.map(({ name }) => [name, optionsOf(name)] as const),
    ['target', optionNames(({ config }) => config === 'target')] as const,
  ]
  const interfaces = keys.map(([key, names]) => {
    const taken = optionEntries.filter(([name]) => names.has(name))
    return `    readonly ${key}: {\n${taken.map(declare).join('')}    };\n`
  })
  return `export interface WrittenOptions {\n${interfaces.join('')}}\n`
}

function declare([name, option]: readonly [string, Option]): string {
  const lines = describeWithDefault(option).match(/.{1,100}(?: |$)/g) ?? []
  const comment = lines.map((line) => `         * ${line.trimEnd()}\n`).join('')
  const type = typeText(toJsonSchema(option.value.typed, 'input'))
  return `        /**\n${comment}         */\n        readonly ${name}?: ${type} | undefined;\n`
}

function typeText({ type, enum: values, anyOf, items }: ReturnType<typeof toJsonSchema>): string {
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(' | ')
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  return type === 'array'
    ? `readonly (${typeText(items as ReturnType<typeof toJsonSchema>)})[]`
    : [type].flat().join(' | ')
}
