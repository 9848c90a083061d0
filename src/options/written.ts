// The options as programs write them. src/build/declarations.ts makes their declarations in dist/, with a doc
// comment on each option.
import type * as z from 'zod'
import type { CommandName, OF_COMMAND_LINE, Option, OptionName, Options } from './table.ts'

export type WrittenOptions = {
  readonly [Command in CommandName]: Written<{
    [Name in OptionName]: IsTaken<Command, Options[Name]> extends true ? Name : never
  }>
} & {
  readonly target: Written<{
    [Name in OptionName]: Options[Name] extends { config: 'target' } ? Name : never
  }>
}

type Written<Names extends Readonly<Record<OptionName, string>>> = {
  readonly [Name in Exclude<Names[OptionName], (typeof OF_COMMAND_LINE)[number]> & OptionName]?:
    z.input<Options[Name]['value']['typed']> | undefined
}

/** `takes` of settings.ts, for types. */
type IsTaken<Command extends CommandName, Taken extends Option> = Command extends Taken['commands'][number]
  ? true
  : [Command, 'run', Taken] extends ['estimate', Taken['commands'][number], { config: string }]
    ? true
    : false
