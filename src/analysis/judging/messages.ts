// Sentences that verdicts, gates and warnings of several files say.
import { digits } from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'

export const answeredOf = (answered: number, total: number): Message =>
  makeMessage('answered', `${digits(answered)} of ${digits(total)} answered`)

export const gatesPassed = (): Message => makeMessage('gates-passed', 'every gate passed')

export const turnsWithoutOutcome = (turns: number): Message =>
  makeMessage('turns-without-outcome', `questions without an outcome: ${digits(turns)}`)

export const baselineWaits = (): Message =>
  makeMessage('baseline-waits', 'The run is not compared with its baseline until it is complete.')

export const attemptsUnreadable = (attempts: number): Message =>
  makeMessage(
    'attempts-lost',
    `Attempts in unreadable lines of the journal: ${digits(attempts)}. Only the account counts them.`,
  )

export const editedNotes = (edited: number): Message[] =>
  edited === 0
    ? []
    : [makeMessage('questions-edited', `edited questions, left out of the comparison: ${digits(edited)}`)]
