// Options of `compare`, and of `run` with a baseline: what counts as worse.
import type { SaidOtherwise } from './command-line.ts'
import { define } from './option-spec.ts'
import { levelValue, pointsValue, shareOfAllValue } from './number-values.ts'
import { rulesValue, textsValue, textValue } from './values.ts'

const GROUP = 'Comparing with a baseline:'

export const compareOptions = define({
  baseline: {
    kind: 'text',
    value: textValue,
    placeholder: 'DIR',
    describe: 'Compare with this recorded run at the end, and fail on what --fail-on names',
    example: '--baseline reports/accepted',
    config: 'run',
    group: GROUP,
  },
  'fail-on': {
    kind: 'list',
    value: rulesValue,
    placeholder: 'RULES',
    describe:
      'What fails the comparison: must-pass, grounding, verdicts, availability, latency (p95 slower by a fifth), quota (a tenth more calls a turn), or none',
    default: 'must-pass,grounding,verdicts',
    example: '--fail-on must-pass,grounding,availability',
    config: 'run',
    group: GROUP,
  },
  alpha: {
    kind: 'text',
    value: levelValue,
    placeholder: 'A',
    describe: 'The chance that a gate may have of failing though nothing changed; its tests share it',
    default: '0.05',
    example: '--alpha 0.01',
    config: 'run',
    group: GROUP,
  },
  margin: {
    kind: 'text',
    value: pointsValue,
    placeholder: 'POINTS',
    describe:
      'A loss fails the comparison only if it is larger than so many percentage points, and more than noise',
    default: '2',
    example: '--margin 5',
    config: 'run',
    group: GROUP,
  },
  'min-overlap': {
    kind: 'text',
    value: shareOfAllValue,
    placeholder: 'P%',
    describe:
      'So many of the questions must be in both runs; with fewer, no difference is given and every gate fails',
    default: '50%',
    example: '--min-overlap 80%',
    config: 'run',
    group: GROUP,
  },
  history: {
    kind: 'list',
    value: textsValue,
    placeholder: 'DIR',
    describe:
      'Earlier runs, or a folder of runs: of the questions that changed grounding, those that did so there are named; repeat it for several',
    example: '--history reports',
    group: GROUP,
  },
})

/** What counts as worse: `run`, `report` and `compare` take these. */
export const WORSE = ['fail-on', 'alpha', 'margin', 'min-overlap'] as const

/** What `compare` says of options that it shares with `run`, where that is something else; the rest stands as it is. */
export const SAID_IN_COMPARE: SaidOtherwise = {
  out: {
    describe: 'Folder for the comparison',
    default: 'reports/<utc-time>-compare-<last run>',
    example: '--out reports/compared',
  },
  seed: { describe: 'Seed of the draws that the intervals come from', example: '--seed 7' },
  excel: { describe: 'Write comparison.csv for a double click in Excel' },
  json: { describe: 'Print comparison.json on stdout' },
}
