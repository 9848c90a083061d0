// Options of `run`: which questions.
import { define } from './option-spec.ts'
import { countValue, patternValue, seedValue, textsValue } from './values.ts'

const GROUP = 'Which questions:'

export const questionOptions = define({
  tag: {
    kind: 'list',
    value: textsValue,
    placeholder: 'T',
    describe: 'Only threads with a question that has this tag; repeat it for several',
    example: '--tag vpn --tag email',
    config: 'run',
    group: GROUP,
  },
  grep: {
    kind: 'text',
    value: patternValue,
    placeholder: 'RE',
    describe: 'Only threads with a question that matches this regular expression, whatever the case',
    example: "--grep 'password|mfa'",
    config: 'run',
    group: GROUP,
  },
  sample: {
    kind: 'text',
    value: countValue,
    placeholder: 'N',
    describe: 'Only N threads, drawn by chance, the same for the same seed',
    example: '--sample 20',
    config: 'run',
    group: GROUP,
  },
  seed: {
    kind: 'text',
    value: seedValue,
    placeholder: 'N',
    describe: 'Seed of the sample',
    default: '1',
    example: '--sample 20 --seed 7',
    config: 'run',
    group: GROUP,
  },
})
