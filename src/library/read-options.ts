// Options by their names in camelCase, from what was written to what it means.
import * as z from 'zod'
import { OPTIONS, type Option, type OptionName } from './option-table.ts'

export type { OptionName }

/** `base-url` as the config file has it: `baseUrl`. */
export type CamelCase<S extends string> = S extends `${infer A}-${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : S

/** What was said of the options, wherever it was said; absent is not said. */
export type RunSettings = {
  readonly [Name in OptionName as CamelCase<Name>]?: z.output<(typeof OPTIONS)[Name]['value']>
}

export const toCamelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export const optionEntries = Object.entries(OPTIONS) as readonly (readonly [OptionName, Option])[]

export const isFlag = ({ value }: Option): boolean => value instanceof z.ZodBoolean

/** Those that a test holds for, by their names in camelCase. */
export const optionsByKey = (
  isMeant: (option: Option, name: OptionName) => boolean = () => true,
): ReadonlyMap<string, Option> =>
  new Map(
    optionEntries
      .filter(([name, option]) => isMeant(option, name))
      .map(([name, option]) => [toCamelCase(name), option]),
  )

/** A value's meaning, or what is wrong with it, fit to stand behind the option's name. */
export function readOption(
  { value }: Option,
  written: unknown,
): { readonly meaning: unknown } | { readonly fault: string } {
  const parsed = value.safeParse(written)
  return parsed.success ? { meaning: parsed.data } : { fault: parsed.error.issues[0]?.message ?? 'is wrong' }
}
