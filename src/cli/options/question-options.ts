// Options of `run`: which questions.
import { define } from './option-spec.ts'
import { countValue, seedValue } from './number-values.ts'
import { formatValue, patternValue, shardValue, textsValue } from './values.ts'

const GROUP = 'Which questions:'

export const questionOptions = define({
  format: {
    kind: 'text',
    value: formatValue,
    placeholder: 'NAME',
    describe:
      'What the question sets were made for: promptfoo, copilot-test-set, copilot-results, google-cx, botium, pairs, or native',
    default: 'told by their header',
    example: '--format promptfoo',
    config: 'run',
    group: GROUP,
  },
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
  repeat: {
    kind: 'text',
    value: countValue,
    placeholder: 'K',
    describe: 'Ask everything K times, each time in a fresh conversation, to tell flaky from changed',
    default: '1',
    example: '--repeat 3',
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
  shard: {
    kind: 'text',
    value: shardValue,
    placeholder: 'I/N',
    describe:
      'Only part I of N of the set, after --tag, --grep and --sample: for N machines side by side. Whole threads, in near-equal parts, told by the id of their first question, so that added rows move no other thread. --max-calls is divided among the parts; merge joins them and judges the whole',
    example: '--shard 2/4',
    config: 'run',
    group: GROUP,
  },
})
