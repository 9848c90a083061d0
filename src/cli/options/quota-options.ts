// Options of `run`, `estimate`, `report` and `compare`: the allowance that usage is measured against.
import { QUOTA_PERIODS } from '../../domain/quota.ts'
import { define } from './option-spec.ts'
import { choiceValue } from './choice.ts'
import { countValue } from './number-values.ts'

const GROUP = 'How fast, and how much:'

export const quotaOptions = define({
  quota: {
    kind: 'text',
    value: countValue,
    placeholder: 'N',
    describe:
      "The organization's allowance of AI calls: reports show the share used, and what nightly, weekly and per-release use adds up to",
    example: '--quota 10000',
    config: 'target',
    group: GROUP,
  },
  'quota-period': {
    kind: 'text',
    value: choiceValue(QUOTA_PERIODS),
    placeholder: 'PERIOD',
    describe: 'For how long the allowance of --quota is: day, week or month',
    default: 'month',
    example: '--quota 500 --quota-period day',
    config: 'target',
    group: GROUP,
  },
})
