// The options of `estimate`: those of a run that change what it costs, and its own.
import { define } from './option-spec.ts'
import type { OptionName, SettingsOf } from './run-options.ts'
import { amountValue, countValue } from './number-values.ts'
import { durationValue } from './time-values.ts'
import { textValue } from './values.ts'

const TIME = 'How long it takes:'
const USE = 'What use adds up to:'

/** Options of `run` that change what it costs: those that help shows. */
export const ESTIMATED_OPTIONS: readonly OptionName[] = [
  ...(['format', 'tag', 'grep', 'repeat', 'sample', 'seed', 'shard'] as const),
  ...(['rate', 'start-rate', 'share', 'concurrency', 'max-calls', 'on-ambiguous'] as const),
  ...(['rotating-ids', 'count-rejected'] as const),
  ...(['quota', 'quota-period', 'target', 'config', 'json'] as const),
]

/** A resume says itself what is left to ask; all others are taken, so that `run` may be exchanged for `estimate`. */
export const REFUSED_OPTIONS: readonly OptionName[] = ['resume', 'retry-errors']

export const estimateOptions = define({
  'answer-time': {
    kind: 'text',
    value: durationValue,
    placeholder: 'D',
    describe: 'How long an answer takes',
    default: '3s, or as measured in the run of --from',
    example: '--answer-time 2s',
    group: TIME,
  },
  from: {
    kind: 'text',
    value: textValue,
    placeholder: 'RUN',
    describe: 'A recorded run of the same endpoint: its answer times, and the limit as far as it found it',
    example: '--from reports/nightly',
    group: TIME,
  },
  'releases-per-month': {
    kind: 'text',
    value: amountValue,
    placeholder: 'N',
    describe: 'Releases for which the set is asked once each',
    default: '1',
    example: '--releases-per-month 4',
    group: USE,
  },
  users: {
    kind: 'text',
    value: countValue,
    placeholder: 'N',
    describe: 'An audience that asks as the set does: conversations of its own mean length',
    example: '--users 500 --questions-per-user 2',
    group: USE,
  },
  'questions-per-user': {
    kind: 'text',
    value: amountValue,
    placeholder: 'D',
    describe: 'Questions that each of the --users asks a day, every day of the month',
    example: '--users 500 --questions-per-user 0.5',
    group: USE,
  },
})

export type EstimateSettings = SettingsOf<typeof estimateOptions>
