// The commands, in the order of help. Their options are in `declarations.ts`, which loads when a command is meant.
import type { CommandName } from '../library/options.ts'

/** What stands behind a command's name. */
export interface Place {
  readonly name: string
  readonly many: boolean
  readonly required: boolean
  readonly describe: string
  /** What a command says that it cannot do without. */
  readonly need: string
}

export interface Command {
  readonly name: CommandName
  readonly describe: string
  readonly place?: Place
}

const SETS: Place = {
  name: 'dataset',
  many: true,
  required: false,
  describe: 'Question sets (CSV files)',
  need: 'the paths of question sets (CSV files)',
}

export const COMMANDS: readonly Command[] = [
  {
    name: 'run',
    describe: 'Ask every question of one or more CSV files, record, summarise, gate',
    place: SETS,
  },
  {
    name: 'estimate',
    describe: 'Calls, worst case, time and share of the quota, before the first call and without a key',
    place: SETS,
  },
  {
    name: 'load',
    describe: 'Offer a chosen arrival rate of threads, and report what the endpoint did',
    place: SETS,
  },
  {
    name: 'validate',
    describe: 'Say everything that is wrong with a question set, with file and line',
    place: SETS,
  },
  {
    name: 'report',
    describe: 'Write the reports of a recorded run again',
    place: {
      name: 'run',
      many: false,
      required: true,
      describe: 'The run folder',
      need: 'the folder of a recorded run',
    },
  },
  {
    name: 'merge',
    describe: 'Merge the shards of one run (run --shard), and judge the whole',
    place: {
      name: 'runs',
      many: true,
      required: true,
      describe: 'The run folders of all shards, in any order',
      need: 'the run folders of all shards of one run',
    },
  },
  {
    name: 'compare',
    describe: 'What changed between recorded runs, the baseline first, and whether it is more than noise',
    place: {
      name: 'runs',
      many: true,
      required: true,
      describe: 'Run folders: the baseline first, then one to seven candidates',
      need: 'the folders of two recorded runs at least, the baseline first',
    },
  },
  {
    name: 'history',
    describe: 'Figures of many runs over time, as a page, a table, and words: is it getting better?',
    place: {
      name: 'folder',
      many: false,
      required: true,
      describe: 'The folder in which the run folders stand, at any depth',
      need: 'the folder in which the run folders stand',
    },
  },
  {
    name: 'sandbox',
    describe: 'A local Assist endpoint that keeps the whole contract, for trying, testing and demos',
  },
]

/** The command and its place, as help writes them: `report <run>`, `run [dataset..]`. */
export function usageOf({ name, place }: Command): string {
  if (place === undefined) return name
  const what = `${place.name}${place.many ? '..' : ''}`
  return `${name} ${place.required ? `<${what}>` : `[${what}]`}`
}
