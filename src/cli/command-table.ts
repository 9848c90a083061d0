// The commands, in the order of help. Their options: `options/table.ts`.
import type { CommandName } from '../options/commands.ts'

export interface Command {
  readonly name: CommandName
  /** Has the form that yargs reads: `report <run>`, `run [dataset..]`. */
  readonly usage: string
  readonly describe: string
  readonly forMore?: string
  readonly examples: readonly string[]
}

export const COMMANDS: readonly Command[] = [
  {
    name: 'run',
    usage: 'run [dataset..]',
    describe: 'Send every question of the sets, and report and judge the answers',
    examples: ['run datasets/quickstart.csv --sandbox'],
  },
  {
    name: 'estimate',
    usage: 'estimate [dataset..]',
    describe: 'Show the calls, time and quota share of a run; sends nothing, needs no key',
    examples: [
      'estimate questions.csv --quota 10000 --rate 60/min',
      'estimate questions.csv --from reports/nightly',
    ],
  },
  {
    name: 'load',
    usage: 'load [dataset..]',
    describe: 'Start conversations at a chosen rate, or search for the rate limit',
    examples: [
      'load questions.csv --sandbox --arrival-rate 2/s --duration 30s',
      'load questions.csv --find-limit --max-calls 300',
    ],
  },
  {
    name: 'validate',
    usage: 'validate [dataset..]',
    describe: 'List everything that is wrong with a question set, with file and line',
    examples: ['validate questions.csv'],
  },
  {
    name: 'draft',
    usage: 'draft [export..]',
    describe: 'Make a question set from exports of tickets or chats; sends nothing',
    examples: ['draft tickets.csv --limit 200 --out questions.csv'],
  },
  {
    name: 'report',
    usage: 'report <run>',
    describe: 'Write the reports of a run folder again',
    examples: ["report reports/nightly --threshold 'coverage>=80%'"],
  },
  {
    name: 'merge',
    usage: 'merge <runs..>',
    describe: 'Merge the folders of all shards of a run (run --shard), and judge the whole',
    examples: ['merge reports/shard-1 reports/shard-2 --out reports/whole'],
  },
  {
    name: 'compare',
    usage: 'compare <baseline> <candidate>',
    describe: 'Show what changed between two run folders, and whether it is more than noise',
    forMore: '; history lists many runs, and view draws their trend',
    examples: ['compare reports/monday reports/tuesday'],
  },
  {
    name: 'rehearse',
    usage: 'rehearse <run>',
    describe: 'Show which answers an edit of the articles will change; sends nothing',
    examples: ['rehearse reports/nightly --was knowledge-base --articles knowledge-base-edited'],
  },
  {
    name: 'history',
    usage: 'history <folder>',
    describe: 'List the runs below a folder with their figures, oldest first',
    examples: ['history reports'],
  },
  {
    name: 'view',
    usage: 'view [folder]',
    describe: 'Open the workbench: a local web app over a folder of runs',
    examples: ['view', 'view . --articles knowledge-base'],
  },
  {
    name: 'sandbox',
    usage: 'sandbox',
    describe: 'Start a local Assist endpoint for trying, testing and demos',
    examples: ['sandbox --port 0 --kb articles'],
  },
]
