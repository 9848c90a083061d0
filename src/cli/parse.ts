// Parses the words behind a command: its options, by their names in camelCase, and its arguments.
import { Parser } from 'yargs/helpers'
import { isFlag, isList, type Option } from '../library/option-table.ts'
import { optionEntries, takes } from '../library/options.ts'
import { asTyped, didYouMean, UsageError } from '../library/usage-error.ts'
import type { Command } from './command-table.ts'

/** Options as typed, by their names in camelCase; their values are not parsed yet. */
export type Typed = Readonly<Record<string, unknown>>

/** Texts, flags and lists stay as typed. */
const CONFIGURATION = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
} as const

/** Throws UsageError with every fault. */
export function parseWords(command: Command, words: readonly string[]): { typed: Typed; places: string[] } {
  const taken = optionEntries
    .filter(([, option]) => takes(command.name, option))
    .map(([key, option]) => ({ key, name: asTyped(key).slice(2), option }))
  const namesOf = (isMeant: (option: Option) => boolean): string[] =>
    taken.filter(({ option }) => isMeant(option)).map(({ name }) => name)
  const flags = namesOf(isFlag)
  const texts = namesOf((option) => !isFlag(option))
  // Only the parser of yargs: the messages of its commands would have to be reworded.
  const { argv, error } = Parser.detailed([...words], {
    boolean: flags,
    string: [...texts, '_'],
    array: namesOf(isList),
    narg: Object.fromEntries(texts.map((name) => [name, 1])),
    configuration: CONFIGURATION,
  })
  const { _: arguments_, ...given } = argv
  const places = arguments_.map(String)
  const typed: Record<string, unknown> = {}
  const faults = error === null ? [] : [`--${error.message.replace(/^.*: /, '')} needs a value`]
  for (const [name, value] of Object.entries(given)) {
    const known = taken.find((one) => one.name === name)
    if (known === undefined)
      faults.push(
        `unknown option --${name}${didYouMean(name, [...flags, ...texts], '--') || seeHelp(command)}`,
      )
    else if (Array.isArray(value) && !isList(known.option))
      faults.push(`--${name} is given twice; give it once`)
    else typed[known.key] = value
  }
  // yargs reads `--json=maybe` as false.
  for (const name of flags)
    if (words.some((word) => word.startsWith(`--${name}=`) && !/=(?:true|false)$/.test(word)))
      faults.push(`--${name} is a flag: write --${name} or --${name}=false`)
  faults.push(...faultsOfPlaces(command, places))
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return { typed, places }
}

const seeHelp = ({ name }: Command): string => `; see assist-harness ${name} --help`

function faultsOfPlaces(command: Command, given: readonly string[]): string[] {
  const { name, places, need } = command
  const most = places === '' ? 0 : places.includes('..') ? Infinity : 1
  if (given.length > most)
    return given.slice(most).map((word) => `unknown argument ${word}${seeHelp(command)}`)
  if (given.length === 0 && places.startsWith('<')) return [`${name} needs ${need}${seeHelp(command)}`]
  return given.some((word) => word.trim() === '') ? [`${name} got an empty argument; it needs ${need}`] : []
}
