// Protects what users see: question set, sandbox and commands in; exit code, figures and ledger out. Each
// *.yaml here is a table of scenarios; scenario.ts says what a row can hold.
import { isOfProcesses } from './scenario.ts'
import { testScenarios } from './play.ts'

testScenarios((scenario) => !isOfProcesses(scenario))
