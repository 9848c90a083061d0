// Options of `run`, `estimate`, `report` and `compare`: the allowance that usage is measured against.
import { define } from './option-spec.ts'
import { countValue } from './number-values.ts'

const GROUP = 'How fast, and how much:'

export const quotaOptions = define({
  quota: {
    kind: 'text',
    value: countValue,
    placeholder: 'N',
    describe:
      "The organization's allowance of AI calls: reports show the share used, and what asking this set every night adds up to",
    example: '--quota 10000',
    config: 'target',
    group: GROUP,
  },
})
