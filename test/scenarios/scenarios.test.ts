// Protects what users see: question set, sandbox and commands in; exit code, figures and ledger out. Each
// *.yaml here is a table of scenarios; scenario.ts says what a row can hold.
import { describe, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { play } from './play.ts'
import { readScenarios, scenarioFiles } from './scenario.ts'

const scratch = temporaryFolder()

describe.each(scenarioFiles)('%s', (file) => {
  for (const scenario of readScenarios(file))
    test.concurrent(scenario.name, { retry: scenario.retry }, async () => play(scenario, scratch))
})
