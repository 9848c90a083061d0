// What a program without types hands over is looked at before anything else happens.
import { keyFault } from '../cli/api-key/key-fault.ts'
import type { RunSettings } from './read-options.ts'
import { UsageError } from './usage-error.ts'

type Check = (value: unknown) => boolean

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFunction: Check = (value) => typeof value === 'function'
const isPath: Check = (value) => typeof value === 'string' && value !== ''
const arePaths: Check = (value) => Array.isArray(value) && value.every(isPath)
const isText: Check = (value) => typeof value === 'string'
const isSignal: Check = (value) =>
  isObject(value) &&
  typeof value['aborted'] === 'boolean' &&
  isFunction(value['addEventListener']) &&
  isFunction(value['removeEventListener'])

const RUN: readonly Rule[] = [
  ['datasets', arePaths, "must be a list of paths, as in ['questions.csv']"],
  ['apiKey', isText, 'must be a text'],
  ['sandbox', (value) => typeof value === 'boolean' || isObject(value), 'must be true, or its config'],
  ['signal', isSignal, 'must be an AbortSignal'],
  ['onEvent', isFunction, 'must be a function'],
]
const COMPARE: readonly Rule[] = [
  ['baseline', isPath, 'must be the path of a recorded run', 'needed'],
  ['candidates', arePaths, "must be a list of paths of recorded runs, as in ['runs/tonight']", 'needed'],
]
const VALIDATE: readonly Rule[] = [
  ['datasets', arePaths, "must be a list of paths, as in ['questions.csv']", 'needed'],
]

type Rule = readonly [name: string, check: Check, words: string, needed?: 'needed']

/** Each throws UsageError naming what is wrong; the options of the command line are looked at by `readOptions`. */
export const checkRun = (options: unknown): void =>
  check(options, RUN, "run needs options, as in run({ datasets: ['questions.csv'] })")
export const checkCompare = (options: unknown): void =>
  check(options, COMPARE, "compare needs options, as in compare({ baseline: 'a', candidates: ['b'] })")
export const checkValidate = (options: unknown): void =>
  check(options, VALIDATE, "validate needs options, as in validate({ datasets: ['questions.csv'] })")

/** A key that was given must be one; where none was, the environment has it. */
export function refuseKey(apiKey: string | undefined): void {
  const fault = apiKey === undefined ? undefined : keyFault(apiKey.trim())
  if (fault !== undefined) throw new UsageError(`apiKey ${fault}`)
}

export function refuseNoSet(datasets: readonly string[], { resume }: RunSettings): void {
  if (datasets.length === 0 && resume === undefined)
    throw new UsageError("datasets must name one or more question sets, as in ['questions.csv']")
}

function check(options: unknown, rules: readonly Rule[], example: string): void {
  if (!isObject(options)) throw new UsageError(example)
  for (const [name, isRight, words, needed] of rules) {
    const value = options[name]
    if (value === undefined && needed === undefined) continue
    if (!isRight(value)) throw new UsageError(`${name} ${words}`)
  }
}
