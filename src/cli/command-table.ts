// The commands, in the order of help. Their options: `library/option-table.ts`, which takes longer to load.
import type { CommandName } from '../library/option-table.ts'

export interface Command {
  readonly name: CommandName
  /** Its arguments: `<run>` is required, `[dataset..]` takes any number. */
  readonly places: '' | `<${string}>` | `[${string}]`
  /** What the arguments are, for the message when they are missing. */
  readonly need: string
  readonly describe: string
  /** Arguments of `assist-harness`. */
  readonly examples: readonly string[]
}

const SETS = { places: '[dataset..]', need: 'the paths of question sets (CSV files)' } as const

export const COMMANDS: readonly Command[] = [
  {
    name: 'run',
    ...SETS,
    describe: 'Send every question of the CSV files, and report and judge the answers',
    examples: ['run datasets/quickstart.csv --sandbox'],
  },
  {
    name: 'estimate',
    ...SETS,
    describe: 'Show the calls, time and share of the quota of a run; sends nothing, needs no key',
    examples: ['estimate questions.csv --quota 10000 --rate 60/min'],
  },
  {
    name: 'load',
    ...SETS,
    describe: 'Start conversations at a chosen rate, or search for the rate limit',
    examples: [
      'load questions.csv --sandbox --arrival-rate 2/s --duration 30s',
      'load questions.csv --find-limit --max-calls 300',
    ],
  },
  {
    name: 'validate',
    ...SETS,
    describe: 'List everything that is wrong with a question set, with file and line',
    examples: ['validate questions.csv'],
  },
  {
    name: 'report',
    places: '<run>',
    need: 'the folder of a recorded run',
    describe: 'Write the reports of a run folder again',
    examples: ["report reports/nightly --threshold 'coverage>=80%'"],
  },
  {
    name: 'merge',
    places: '<runs..>',
    need: 'the run folders of all shards of one run',
    describe: 'Merge the folders of all shards of one run (run --shard), and judge the whole',
    examples: ['merge reports/shard-1 reports/shard-2 --out reports/whole'],
  },
  {
    name: 'compare',
    places: '<runs..>',
    need: 'the folders of at least two recorded runs, the baseline first',
    describe:
      'Show what changed between run folders, and whether it is more than noise; the first is the baseline',
    examples: [
      'compare reports/monday reports/tuesday',
      'compare reports/accepted reports/nightly --history reports',
    ],
  },
  {
    name: 'history',
    places: '<folder>',
    need: 'the folder that holds the run folders',
    describe: 'Show the figures of all runs below a folder over time',
    examples: ['history reports'],
  },
  {
    name: 'sandbox',
    places: '',
    need: '',
    describe: 'Start a local Assist endpoint for trying, testing and demos',
    examples: ['sandbox --port 0 --kb articles'],
  },
]

/** The command and its arguments, as help writes them: `report <run>`, `run [dataset..]`. */
export const usageOf = ({ name, places }: Command): string => `${name} ${places}`.trim()
