// Options that an earlier version had. Each is rejected by its name, with what to do instead.
import type { CommandName } from './commands.ts'
import { asTyped } from './faults.ts'

/** Continues "was removed in 0.4: ". */
const REMOVED: Partial<Record<CommandName, Readonly<Record<string, string>>>> = {
  load: {
    shard: 'one process offers the whole arrival rate; shard a run, not a load test',
    startAt: 'one process offers the whole arrival rate; start the command when the test is to begin',
  },
  compare: {
    candidates: 'name one run as candidate; history lists many, and view draws their trend',
    history: 'the history command lists earlier runs',
  },
  draft: {
    articles: 'a title is no question; draft makes a set from what people asked',
    conversations: 'the question is the first message; add what follows to the set by hand',
    noMask: 'personal data is always masked; write by hand what must stand in its place',
  },
  history: { open: 'history prints a table, and has no page' },
}

/** Continues the name, in camelCase or as typed, of an option that was removed. */
export function removedOption(option: string, command: CommandName | undefined): string | undefined {
  const tables = command === undefined ? Object.values(REMOVED) : [REMOVED[command] ?? {}]
  const [, instead] =
    tables.flatMap(Object.entries<string>).find(([name]) => asTyped(name) === asTyped(option)) ?? []
  return instead === undefined ? undefined : `was removed in 0.4: ${instead}`
}
