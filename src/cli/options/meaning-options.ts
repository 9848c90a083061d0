// Options of `run`: what counts as what.
import { define } from './option-spec.ts'
import { flagValue, wordsValue } from './values.ts'

const GROUP = 'What counts as what:'

export const meaningOptions = define({
  'grounded-sources': {
    kind: 'list',
    value: wordsValue,
    placeholder: 'A,B',
    describe: 'Values of contextSource that count as grounded',
    default: 'KNOWLEDGE_BASE',
    example: '--grounded-sources KNOWLEDGE_BASE,FAQ',
    config: 'target',
    group: GROUP,
  },
  'rotating-ids': {
    kind: 'flag',
    value: flagValue,
    describe: 'The endpoint returns a new conversation id each turn: a changed id is no lost context',
    example: '--rotating-ids',
    config: 'target',
    group: GROUP,
  },
})
