// Protects the same as scenarios.test.ts, for the rows that need processes of their own: commands that are
// interrupted or killed, and the sandbox as a program. test/properties/resume kills runs on virtual ports.
import { isOfProcesses } from './scenario.ts'
import { testScenarios } from './play.ts'

testScenarios(isOfProcesses)
