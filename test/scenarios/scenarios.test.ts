// What a user sees: question set, sandbox, commands in; exit code, figures, ledger out. See play.ts for what a row may hold.
import { describe, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { DECISIONS } from './decisions.ts'
import { COMMANDS } from './commands.ts'
import { ENDS } from './ends.ts'
import { ESTIMATES } from './estimates.ts'
import { FAULTS } from './faults.ts'
import { KNOWLEDGE } from './knowledge.ts'
import { LOADS } from './loads.ts'
import { GATES } from './gates.ts'
import { INPUTS } from './inputs.ts'
import { PARTS } from './parts.ts'
import { play, type Scenario } from './play.ts'
import { SEARCHES } from './searches.ts'
import { TARGETS } from './targets.ts'

const scratch = temporaryFolder()

const TABLES: Readonly<Record<string, readonly Scenario[]>> = {
  'how a run ends': ENDS,
  'what decides a run': DECISIONS,
  'what the endpoint does': FAULTS,
  'what a load test says': LOADS,
  'what a search for the limit says': SEARCHES,
  'what fails a run': GATES,
  'what a set will cost': ESTIMATES,
  'a part of a set': PARTS,
  'where the questions go': TARGETS,
  'which questions reach it': INPUTS,
  'from which articles the sandbox answers': KNOWLEDGE,
  'the other commands': COMMANDS,
}

describe.each(Object.entries(TABLES))('%s', (_, rows) => {
  for (const scenario of rows) test.concurrent(scenario.name, async () => play(scenario, scratch))
})
