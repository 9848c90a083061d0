// Options of `run`: what is written, and where settings come from.
import { define } from './option-spec.ts'
import { flagValue, textsValue, textValue } from './values.ts'

const GROUP = 'What is written:'

export const outputOptions = define({
  out: {
    kind: 'text',
    value: textValue,
    placeholder: 'DIR',
    describe: 'The run folder; with several targets one folder in it for each',
    default: 'reports/<utc-time>-<dataset>',
    example: '--out reports/nightly',
    config: 'run',
    group: GROUP,
  },
  resume: {
    kind: 'text',
    value: textValue,
    placeholder: 'DIR',
    describe: 'Go on with an interrupted run: asks the turns that have no outcome yet',
    example: '--resume reports/2026-11-20T12-31-05Z-quickstart',
    group: GROUP,
  },
  'retry-errors': {
    kind: 'flag',
    value: flagValue,
    describe: 'With --resume: ask threads again, whole, in which a turn ended in an error',
    example: '--resume reports/nightly --retry-errors',
    group: GROUP,
  },
  'hash-end-user-refs': {
    kind: 'flag',
    value: flagValue,
    describe:
      'Send HMAC-SHA-256 of end_user_ref, keyed by the variable ASSIST_HASH_KEY; the raw value is written nowhere',
    example: '--hash-end-user-refs',
    config: 'run',
    group: GROUP,
  },
  json: {
    kind: 'flag',
    value: flagValue,
    describe: 'Print summary.json on stdout (an array with several targets); words for people stay on stderr',
    example: '--json',
    config: 'run',
    group: GROUP,
  },
  reviews: {
    kind: 'list',
    value: textsValue,
    placeholder: 'FILE',
    describe:
      'Reviews of answers (CSV: id, answer, review, note), such as an edited results.csv: each is carried to the same answer, or one with the same facts; repeat it for several, of which a later one wins',
    example: '--reviews reports/last-week/results.csv',
    config: 'run',
    group: GROUP,
  },
  excel: {
    kind: 'flag',
    value: flagValue,
    describe: "Write results.csv for a double click in Excel: a byte order mark and the set's separator",
    example: '--excel',
    config: 'run',
    group: GROUP,
  },
  debug: {
    kind: 'flag',
    value: flagValue,
    describe: 'A line on stderr for each attempt',
    example: '--debug',
    config: 'run',
    group: GROUP,
  },
  config: {
    kind: 'text',
    value: textValue,
    placeholder: 'FILE',
    describe: 'Config file (YAML): these options in camelCase, and targets',
    default: 'assist-harness.yaml, if it is there',
    example: '--config nightly.yaml',
    group: GROUP,
  },
})
