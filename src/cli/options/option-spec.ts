// What an option is: for the command line, its help and the config file alike.
import type { z } from 'zod'

/** What people are told of an option. */
export interface OptionHelp {
  readonly kind: 'text' | 'flag' | 'list'
  readonly placeholder?: string
  readonly describe: string
  /** What help says of the default. */
  readonly default?: string
  readonly example: string
  readonly group?: string
}

export interface OptionSpec<V extends z.ZodType = z.ZodType> extends OptionHelp {
  readonly value: V
  /** Where it may stand: in the config file, and in a target of it. The command line takes all. */
  readonly config?: 'run' | 'target'
  readonly group: string
}

export type NamedOption = readonly [name: string, help: OptionHelp]

/** Keeps each option's own value type. */
export const define = <T extends Record<string, OptionSpec>>(options: T): T => options
