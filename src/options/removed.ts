// Options that an earlier version had. Each is rejected by its name, with what to do instead.
import { asTyped } from './faults.ts'
import type { CommandName } from './table.ts'

interface RemovedOption {
  readonly name: string
  readonly commands: readonly CommandName[]
  /** Continues "was removed in 0.4: ". */
  readonly instead: string
}

const REMOVED: readonly RemovedOption[] = [
  {
    name: 'shard',
    commands: ['load'],
    instead: 'one process offers the whole arrival rate; shard a run, not a load test',
  },
  {
    name: 'startAt',
    commands: ['load'],
    instead: 'one process offers the whole arrival rate; start the command when the test is to begin',
  },
  {
    name: 'candidates',
    commands: ['compare'],
    instead: 'name one run as candidate; history lists many, and view draws their trend',
  },
  {
    name: 'history',
    commands: ['compare'],
    instead: 'the history command lists earlier runs',
  },
  {
    name: 'articles',
    commands: ['draft'],
    instead: 'a title is no question; draft makes a set from what people asked',
  },
  { name: 'open', commands: ['history'], instead: 'history prints a table, and has no page' },
]

/**
 * Continues the option's name in a message; undefined for any other. `option`: in camelCase or as typed.
 * `command`: absent in a config file.
 */
export function removedOption(option: string, command?: CommandName): string | undefined {
  const removed = REMOVED.find(
    ({ name, commands }) =>
      asTyped(name) === asTyped(option) && (command === undefined || commands.includes(command)),
  )
  return removed && `was removed in 0.4: ${removed.instead}`
}
