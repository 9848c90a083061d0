// Generates the interface of the options that programs pass, with a doc comment on each key, from the option
// table.
import * as z from 'zod'
import { COMMANDS } from '../cli/command-table.ts'
import { optionsOf } from '../options/settings.ts'
import { isFlag, isList, optionEntries, type Option, shownDefault } from '../options/table.ts'
import { describeOption } from './schemas.ts'

/** Below the root. */
export const INTERFACES_FILE = 'src/options/documented.ts'

/** Not formatted yet. */
export function makeInterfaces(): string {
  const taken = new Set(COMMANDS.flatMap(({ name }) => [...optionsOf(name)]))
  const keys = optionEntries.filter(([name]) => taken.has(name)).map(([name, option]) => keyOf(name, option))
  return `// Generated from src/options/table.ts. Change that file, then run npm run build:package.

type Text = string | number
type List = Text | readonly Text[]

/** Options of all commands, written as in the config file. */
export interface DocumentedOptions {
${keys.join('\n')}
}
`
}

function keyOf(name: string, option: Option): string {
  const shown = shownDefault(option)
  const text = `${describeOption(option)}${shown === undefined ? '' : ` Default: ${shown}.`}`
  // Lines of at most 100 characters.
  const lines = text.match(/.{1,100}(?: |$)/g) ?? []
  const comment =
    lines.length === 1
      ? `/** ${text} */`
      : `/**\n${lines.map((line) => ` * ${line.trimEnd()}`).join('\n')}\n */`
  return `${comment}\nreadonly ${name}?: ${typeOf(option)} | undefined`
}

function typeOf(option: Option): string {
  if (isFlag(option)) return 'boolean'
  if (isList(option)) return 'List'
  const { typed } = option.value
  return typed instanceof z.ZodEnum ? typed.options.map((one) => `'${one}'`).join(' | ') : 'Text'
}
