// Options of `run`: how fast, and how much.
import { define } from './option-spec.ts'
import { choiceValue } from './choice.ts'
import { concurrencyValue, countValue, shareValue } from './number-values.ts'
import { durationValue, rateValue } from './time-values.ts'

const GROUP = 'How fast, and how much:'

export const paceOptions = define({
  rate: {
    kind: 'text',
    value: rateValue,
    placeholder: 'R',
    describe: 'Calls: auto finds the pace by itself, unlimited does not pace, or 60/min, 5/s, 1000/h',
    default: 'auto',
    example: '--rate 60/min',
    config: 'target',
    group: GROUP,
  },
  share: {
    kind: 'text',
    value: shareValue,
    placeholder: 'S',
    describe: 'Use at most this part of what the limit seems to be, and leave the rest to live users',
    default: '1',
    example: '--share 0.5',
    config: 'target',
    group: GROUP,
  },
  concurrency: {
    kind: 'text',
    value: concurrencyValue,
    placeholder: 'N',
    describe: 'Calls in flight at most, per organization',
    default: 'auto: as many as the pace needs, at most 64',
    example: '--concurrency 8',
    config: 'target',
    group: GROUP,
  },
  limiter: {
    kind: 'text',
    value: choiceValue(['local', 'redis']),
    placeholder: 'WHERE',
    describe:
      'Who shares the limit: local, the processes on this machine; redis, all processes of the organization that use the same Redis (ASSIST_REDIS_URL)',
    default: 'local',
    example: '--limiter redis',
    config: 'target',
    group: GROUP,
  },
  'max-calls': {
    kind: 'text',
    value: countValue,
    placeholder: 'N',
    describe: 'Stop for good after so many attempts, retries and refused connections included',
    default: 'no end',
    example: '--max-calls 500',
    config: 'target',
    group: GROUP,
  },
  'give-up-after': {
    kind: 'text',
    value: durationValue,
    placeholder: 'D',
    describe: 'Stop after nothing but refusals (429) or failures for so long, or once a longer wait is named',
    default: '30m',
    example: '--give-up-after 10m',
    config: 'target',
    group: GROUP,
  },
  timeout: {
    kind: 'text',
    value: durationValue,
    placeholder: 'D',
    describe: 'One attempt, one deadline from sending to the last byte',
    default: '120s',
    example: '--timeout 30s',
    config: 'target',
    group: GROUP,
  },
  'on-ambiguous': {
    kind: 'text',
    value: choiceValue(['restart', 'fail']),
    placeholder: 'WHAT',
    describe:
      'After a call that may have been processed: restart asks its thread again, once, in a fresh conversation; fail records the error',
    default: 'restart',
    example: '--on-ambiguous fail',
    config: 'target',
    group: GROUP,
  },
})
