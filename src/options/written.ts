// The options as programs write them. src/build/declarations.ts makes their declarations in dist/, with a doc
// comment on each option.
import type * as z from 'zod'
import type { CommandName, OF_COMMAND_LINE, TAKEN } from './commands.ts'
import type { OptionName, Options } from './table.ts'

type Written<Name extends OptionName> = {
  readonly [Each in Exclude<Name, (typeof OF_COMMAND_LINE)[number]>]?:
    z.input<Options[Each]['value']['typed']> | undefined
}
type WithConfig<Config extends string> = {
  [Name in OptionName]: Options[Name] extends { config: Config } ? Name : never
}[OptionName]
type OfRun = (typeof TAKEN)['run'][number] & WithConfig<string>

export type WrittenOptions = {
  readonly [Command in CommandName]: Written<
    (typeof TAKEN)[Command][number] | (Command extends 'estimate' ? OfRun : never)
  >
} & { readonly target: Written<WithConfig<'target'>> }
