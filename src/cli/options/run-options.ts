// The options of `run`: one table for the command line, its help and the config file.
import type { z } from 'zod'
import {
  concurrencyValue,
  countValue,
  durationValue,
  flagValue,
  knownRateValue,
  patternValue,
  rateValue,
  seedValue,
  shareValue,
  textsValue,
  textValue,
  variableValue,
  wordsValue,
} from './values.ts'

export interface OptionSpec<V extends z.ZodType = z.ZodType> {
  readonly kind: 'text' | 'flag' | 'list'
  readonly value: V
  readonly placeholder?: string
  readonly describe: string
  /** What help says of the default. */
  readonly default?: string
  readonly example: string
  /** Where it may stand: in the config file, and in a target of it. The command line takes all. */
  readonly config?: 'run' | 'target'
  readonly group: string
}

const TARGET = 'Whom to ask:'
const PACE = 'How fast, and how much:'
const QUESTIONS = 'Which questions:'
const MEANING = 'What counts as what:'
const OUTPUT = 'What is written:'

/** Keeps each option's own value type. */
const define = <T extends Record<string, OptionSpec>>(options: T): T => options

export const runOptions = define({
  'base-url': {
    kind: 'text',
    value: textValue,
    placeholder: 'URL',
    describe: "The organization's desk address; from the variable ASSIST_BASE_URL otherwise",
    example: '--base-url https://desk.example.com',
    config: 'target',
    group: TARGET,
  },
  'api-key-env': {
    kind: 'text',
    value: variableValue,
    placeholder: 'NAME',
    describe: 'The environment variable that holds the key; a key is never an argument',
    default: 'ASSIST_API_KEY',
    example: '--api-key-env ASSIST_KEY_STAGING',
    config: 'target',
    group: TARGET,
  },
  'env-from': {
    kind: 'text',
    value: textValue,
    placeholder: 'FILE',
    describe: 'Read environment variables from a file; those already set win',
    example: '--env-from .env',
    config: 'run',
    group: TARGET,
  },
  target: {
    kind: 'list',
    value: textsValue,
    placeholder: 'NAME',
    describe: 'A target of the config file; repeat it to ask several side by side',
    example: '--target production --target staging',
    config: 'run',
    group: TARGET,
  },
  sandbox: {
    kind: 'flag',
    value: flagValue,
    describe: 'Start a sandbox endpoint on a free loopback port and ask that: no key, no quota',
    example: '--sandbox',
    config: 'run',
    group: TARGET,
  },
  organization: {
    kind: 'text',
    value: textValue,
    placeholder: 'NAME',
    describe: 'Whose limit is shared: targets with one name share one limiter',
    default: 'origin of the base URL and fingerprint of the key',
    example: '--organization acme',
    config: 'target',
    group: TARGET,
  },
  'allow-http': {
    kind: 'flag',
    value: flagValue,
    describe: 'Allow plain http:// to a host that is not this machine; the key could be read on its way',
    example: '--allow-http',
    config: 'target',
    group: TARGET,
  },
  rate: {
    kind: 'text',
    value: rateValue,
    placeholder: 'R',
    describe: 'Calls: auto finds the pace by itself, unlimited does not pace, or 60/min, 5/s, 1000/h',
    default: 'auto',
    example: '--rate 60/min',
    config: 'target',
    group: PACE,
  },
  'start-rate': {
    kind: 'text',
    value: knownRateValue,
    placeholder: 'R',
    describe: 'With --rate auto: the pace to begin with, before the limit is found',
    default: '4/s',
    example: '--start-rate 1/s',
    config: 'target',
    group: PACE,
  },
  share: {
    kind: 'text',
    value: shareValue,
    placeholder: 'S',
    describe: 'Use at most this part of what the limit seems to be, and leave the rest to live users',
    default: '1',
    example: '--share 0.5',
    config: 'target',
    group: PACE,
  },
  concurrency: {
    kind: 'text',
    value: concurrencyValue,
    placeholder: 'N',
    describe: 'Calls in flight at most, per organization',
    default: 'auto: as many as the pace needs, at most 64',
    example: '--concurrency 8',
    config: 'target',
    group: PACE,
  },
  'max-calls': {
    kind: 'text',
    value: countValue,
    placeholder: 'N',
    describe: 'Stop for good after so many attempts, retries and refused connections included',
    default: 'no end',
    example: '--max-calls 500',
    config: 'target',
    group: PACE,
  },
  'give-up-after': {
    kind: 'text',
    value: durationValue,
    placeholder: 'D',
    describe: 'Stop after nothing but refusals (429) or failures for so long',
    default: '30m',
    example: '--give-up-after 10m',
    config: 'target',
    group: PACE,
  },
  timeout: {
    kind: 'text',
    value: durationValue,
    placeholder: 'D',
    describe: 'One attempt, one deadline from sending to the last byte',
    default: '120s',
    example: '--timeout 30s',
    config: 'target',
    group: PACE,
  },
  tag: {
    kind: 'list',
    value: textsValue,
    placeholder: 'T',
    describe: 'Only threads with a question that has this tag; repeat it for several',
    example: '--tag vpn --tag email',
    config: 'run',
    group: QUESTIONS,
  },
  grep: {
    kind: 'text',
    value: patternValue,
    placeholder: 'RE',
    describe: 'Only threads with a question that matches this regular expression, whatever the case',
    example: "--grep 'password|mfa'",
    config: 'run',
    group: QUESTIONS,
  },
  sample: {
    kind: 'text',
    value: countValue,
    placeholder: 'N',
    describe: 'Only N threads, drawn by chance, the same for the same seed',
    example: '--sample 20',
    config: 'run',
    group: QUESTIONS,
  },
  seed: {
    kind: 'text',
    value: seedValue,
    placeholder: 'N',
    describe: 'Seed of the sample',
    default: '1',
    example: '--sample 20 --seed 7',
    config: 'run',
    group: QUESTIONS,
  },
  'grounded-sources': {
    kind: 'list',
    value: wordsValue,
    placeholder: 'A,B',
    describe: 'Values of contextSource that count as grounded',
    default: 'KNOWLEDGE_BASE',
    example: '--grounded-sources KNOWLEDGE_BASE,FAQ',
    config: 'target',
    group: MEANING,
  },
  'success-status': {
    kind: 'list',
    value: wordsValue,
    placeholder: 'A,B',
    describe: 'Values of status that count as a success; others stay answers and are warned of',
    default: 'success',
    example: '--success-status success,ok',
    config: 'target',
    group: MEANING,
  },
  'rotating-ids': {
    kind: 'flag',
    value: flagValue,
    describe: 'The endpoint returns a new conversation id each turn: a changed id is no lost context',
    example: '--rotating-ids',
    config: 'target',
    group: MEANING,
  },
  'count-rejected': {
    kind: 'flag',
    value: flagValue,
    describe: 'Count 429 and other 4xx as possible usage of the quota',
    example: '--count-rejected',
    config: 'target',
    group: MEANING,
  },
  out: {
    kind: 'text',
    value: textValue,
    placeholder: 'DIR',
    describe: 'The run folder; with several targets one folder in it for each',
    default: 'reports/<utc-time>-<dataset>',
    example: '--out reports/nightly',
    config: 'run',
    group: OUTPUT,
  },
  resume: {
    kind: 'text',
    value: textValue,
    placeholder: 'DIR',
    describe: 'Go on with an interrupted run: asks the turns that have no outcome yet',
    example: '--resume reports/2026-11-20T12-31-05Z-quickstart',
    group: OUTPUT,
  },
  'hash-end-user-refs': {
    kind: 'flag',
    value: flagValue,
    describe:
      'Send HMAC-SHA-256 of end_user_ref, keyed by the variable ASSIST_HASH_KEY; the raw value is written nowhere',
    example: '--hash-end-user-refs',
    config: 'run',
    group: OUTPUT,
  },
  json: {
    kind: 'flag',
    value: flagValue,
    describe: 'Print summary.json on stdout (an array with several targets); words for people stay on stderr',
    example: '--json',
    config: 'run',
    group: OUTPUT,
  },
  debug: {
    kind: 'flag',
    value: flagValue,
    describe: 'A line on stderr for each attempt',
    example: '--debug',
    config: 'run',
    group: OUTPUT,
  },
  config: {
    kind: 'text',
    value: textValue,
    placeholder: 'FILE',
    describe: 'Config file (YAML): these options in camelCase, and targets',
    default: 'assist-harness.yaml, if it is there',
    example: '--config nightly.yaml',
    group: OUTPUT,
  },
})

type Options = typeof runOptions
export type OptionName = keyof Options

/** `base-url` as the config file has it: `baseUrl`. */
export type CamelCase<S extends string> = S extends `${infer A}-${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : S

/** What was said, wherever it was said; absent is not said. */
export type RunSettings = {
  readonly [Name in OptionName as CamelCase<Name>]?: z.output<Options[Name]['value']>
}

export const toCamelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export const optionEntries = Object.entries(runOptions) as [OptionName, OptionSpec][]
