// The commands, in the order of help. Their options are in `declarations.ts`, which is loaded for a command only.
import type { CommandName } from '../library/options.ts'

/** The positional arguments of a command. */
export interface Positional {
  readonly name: string
  readonly many: boolean
  readonly required: boolean
  /** For the message when it is missing. */
  readonly need: string
}

export interface Command {
  readonly name: CommandName
  readonly describe: string
  readonly place?: Positional
}

const SETS: Positional = {
  name: 'dataset',
  many: true,
  required: false,
  need: 'the paths of question sets (CSV files)',
}

export const COMMANDS: readonly Command[] = [
  {
    name: 'run',
    describe: 'Send every question of the CSV files, and report and judge the answers',
    place: SETS,
  },
  {
    name: 'estimate',
    describe: 'Show the calls, time and share of the quota of a run; sends nothing, needs no key',
    place: SETS,
  },
  {
    name: 'load',
    describe: 'Start conversations at a chosen rate, or search for the rate limit',
    place: SETS,
  },
  {
    name: 'validate',
    describe: 'List everything that is wrong with a question set, with file and line',
    place: SETS,
  },
  {
    name: 'report',
    describe: 'Write the reports of a run folder again',
    place: { name: 'run', many: false, required: true, need: 'the folder of a recorded run' },
  },
  {
    name: 'merge',
    describe: 'Merge the folders of all shards of one run (run --shard), and judge the whole',
    place: { name: 'runs', many: true, required: true, need: 'the run folders of all shards of one run' },
  },
  {
    name: 'compare',
    describe:
      'Show what changed between run folders, and whether it is more than noise; the first is the baseline',
    place: {
      name: 'runs',
      many: true,
      required: true,
      need: 'the folders of at least two recorded runs, the baseline first',
    },
  },
  {
    name: 'history',
    describe: 'Show the figures of all runs below a folder over time',
    place: { name: 'folder', many: false, required: true, need: 'the folder that holds the run folders' },
  },
  {
    name: 'sandbox',
    describe: 'Start a local Assist endpoint for trying, testing and demos',
  },
]

/** The command and its arguments, as help writes them: `report <run>`, `run [dataset..]`. */
export function usageOf({ name, place }: Command): string {
  if (place === undefined) return name
  const what = `${place.name}${place.many ? '..' : ''}`
  return `${name} ${place.required ? `<${what}>` : `[${what}]`}`
}
