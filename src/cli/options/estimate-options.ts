// The options of `estimate`: those of a run that change what it costs, and its own.
import { define } from './option-spec.ts'
import type { OptionName, SettingsOf } from './run-options.ts'
import { durationValue } from './time-values.ts'

const TIME = 'How long it takes:'

/** Options of `run` that change what it costs: those that help shows. */
export const ESTIMATED_OPTIONS: readonly OptionName[] = [
  ...(['format', 'tag', 'grep', 'repeat', 'sample', 'seed', 'shard'] as const),
  ...(['rate', 'share', 'concurrency', 'max-calls', 'on-ambiguous'] as const),
  ...(['rotating-ids'] as const),
  ...(['quota', 'target', 'config', 'json'] as const),
]

/** A resume says itself what is left to ask; all others are taken, so that `run` may be exchanged for `estimate`. */
export const REFUSED_OPTIONS: readonly OptionName[] = ['resume', 'retry-errors']

export const estimateOptions = define({
  'answer-time': {
    kind: 'text',
    value: durationValue,
    placeholder: 'D',
    describe: 'How long an answer takes',
    default: '3s',
    example: '--answer-time 2s',
    group: TIME,
  },
})

export type EstimateSettings = SettingsOf<typeof estimateOptions>
