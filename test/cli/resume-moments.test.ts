// Whole runs, ended by their budget at every moment that matters and resumed: resume-budget.test.ts has one moment of each kind.
import { temporaryFolder } from '../support/temporary.ts'
import { testFailing, testMustPass } from './ended-by-budget.ts'

const folder = temporaryFolder()

testMustPass(folder, [
  { maxCalls: 1, why: 'in the middle of a conversation' },
  { maxCalls: 2, why: 'between conversations' },
  { maxCalls: 5, why: 'with the last question' },
  { maxCalls: 10, why: 'in the second round of confirmations' },
])

testFailing(folder, [
  { maxCalls: 1, more: [] },
  { maxCalls: 2, more: [] },
  { maxCalls: 3, more: [] },
  { maxCalls: 5, more: ['--confirm', '3'] },
])
