// Protects what users see: question set, sandbox and commands in; exit code, figures and ledger out. play.ts says what a row can hold.
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
  'the verdict of a run': DECISIONS,
  'faults of the endpoint': FAULTS,
  'load tests': LOADS,
  'searches for the limit': SEARCHES,
  gates: GATES,
  'estimates and allowances': ESTIMATES,
  'selections and shards': PARTS,
  targets: TARGETS,
  'question sets': INPUTS,
  'articles of the sandbox': KNOWLEDGE,
  'other commands': COMMANDS,
}

describe.each(Object.entries(TABLES))('%s', (_, rows) => {
  for (const scenario of rows) test.concurrent(scenario.name, async () => play(scenario, scratch))
})
