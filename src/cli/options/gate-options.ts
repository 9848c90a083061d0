// Options of `run` and `report`: what fails the run.
import { PASS_POLICIES } from '../../domain/gate.ts'
import { define } from './option-spec.ts'
import { choiceValue } from './choice.ts'
import { thresholdsValue } from './values.ts'

const GROUP = 'What fails the run:'

export const gateOptions = define({
  threshold: {
    kind: 'list',
    value: thresholdsValue,
    placeholder: 'EXPR',
    describe:
      'A gate over a figure of summary.json; repeat it for several. One on passed or errors replaces the rule that every failed expectation, or every error, fails',
    example: "--threshold 'coverage>=80%' --threshold 'latency.p95<3s' --threshold 'coverage[vpn]>=0.9'",
    config: 'run',
    group: GROUP,
  },
  'pass-policy': {
    kind: 'text',
    value: choiceValue(PASS_POLICIES),
    placeholder: 'WHICH',
    describe: 'With --repeat: a question passes if all of its answers do, the majority, or any',
    default: 'all',
    example: '--repeat 3 --pass-policy majority',
    config: 'run',
    group: GROUP,
  },
})
