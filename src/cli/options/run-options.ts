// The options of `run` and `load`: one table for the command line, its help and the config file.
import type { z } from 'zod'
import { compareOptions } from './compare-options.ts'
import { gateOptions } from './gate-options.ts'
import { loadOptions } from './load-options.ts'
import { meaningOptions } from './meaning-options.ts'
import type { OptionSpec } from './option-spec.ts'
import { outputOptions } from './output-options.ts'
import { paceOptions } from './pace-options.ts'
import { questionOptions } from './question-options.ts'
import { quotaOptions } from './quota-options.ts'
import { targetOptions } from './target-options.ts'

export const runOptions = {
  ...targetOptions,
  ...paceOptions,
  ...quotaOptions,
  ...questionOptions,
  ...meaningOptions,
  ...gateOptions,
  ...compareOptions,
  ...outputOptions,
}

/** Those of `run`, and those that only `load` has. */
export const everyOption = { ...runOptions, ...loadOptions }

export type OptionName = keyof typeof everyOption

/** `base-url` as the config file has it: `baseUrl`. */
export type CamelCase<S extends string> = S extends `${infer A}-${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : S

/** What was said of the options of a table, wherever it was said; absent is not said. */
export type SettingsOf<Table extends Record<string, OptionSpec>> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]?: z.output<Table[Name]['value']>
}

export type RunSettings = SettingsOf<typeof everyOption>

export const toCamelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `--history` is an option of `compare` alone. */
export const RUN_OPTION_NAMES = (Object.keys(runOptions) as (keyof typeof runOptions)[]).filter(
  (name) => name !== 'history',
)

export const optionEntries = Object.entries(everyOption) as [OptionName, OptionSpec][]
