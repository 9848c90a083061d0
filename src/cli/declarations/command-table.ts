// The commands, in the order of help. Their options are in declarations of their own, which load when a command is meant.
import type { Declaration } from './declaration.ts'

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
  readonly name: string
  readonly describe: string
  readonly place?: Place
  readonly declare: () => Promise<Declaration>
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
    declare: async () => (await import('./run.ts')).runDeclaration,
  },
  {
    name: 'estimate',
    describe: 'Calls, worst case, time and share of the quota, before the first call and without a key',
    place: SETS,
    declare: async () => (await import('./estimate.ts')).estimateDeclaration,
  },
  {
    name: 'load',
    describe: 'Offer a chosen arrival rate of threads, and report what the endpoint did',
    place: SETS,
    declare: async () => (await import('./load.ts')).loadDeclaration,
  },
  {
    name: 'validate',
    describe: 'Say everything that is wrong with a question set, with file and line',
    place: SETS,
    declare: async () => (await import('./validate.ts')).validateDeclaration,
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
    declare: async () => (await import('./report.ts')).reportDeclaration,
  },
  {
    name: 'merge',
    describe: 'Join the parts of one run (run --shard), and judge the whole',
    place: {
      name: 'runs',
      many: true,
      required: true,
      describe: 'The run folders of all parts, in any order',
      need: 'the run folders of all parts of one run',
    },
    declare: async () => (await import('./merge.ts')).mergeDeclaration,
  },
  {
    name: 'compare',
    describe: 'What changed between recorded runs, the baseline first, and whether it is more than noise',
    place: {
      name: 'runs',
      many: true,
      required: true,
      describe: "Run folders: the baseline (or another tool's export of results), then one candidate or more",
      need: 'the folders of two recorded runs at least, the baseline first',
    },
    declare: async () => (await import('./compare.ts')).compareDeclaration,
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
    declare: async () => (await import('./history.ts')).historyDeclaration,
  },
  {
    name: 'sandbox',
    describe: 'A local Assist endpoint that keeps the whole contract, for trying, testing and demos',
    declare: async () => (await import('./sandbox.ts')).sandboxDeclaration,
  },
]

/** The command and its place, as help writes them: `report <run>`, `run [dataset..]`. */
export function usageOf({ name, place }: Command): string {
  if (place === undefined) return name
  const what = `${place.name}${place.many ? '..' : ''}`
  return `${name} ${place.required ? `<${what}>` : `[${what}]`}`
}
