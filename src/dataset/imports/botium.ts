// Botium conversations: texts of `me` are questions, texts of `bot` are expected answers.
import { excerpt } from '../messages.ts'
import { escapePhrase, has, type Format } from './format.ts'

const COLUMNS = ['conversationId', 'sender', 'text']

/** Botium commands, such as BUTTONS or INCLUDE, and names of utterance lists. */
const COMMAND = new RegExp(
  '^(?:UTT_\\w+$|(?:[A-Z]+(?:_[A-Z]+)+|BUTTONS?|CARDS?|ENTITIES|FORMS?|HASLINK|INCLUDE|INTENT|MEDIA|PAUSE' +
    '|USERPROFILE|WAITFORBOT)(?:\\s|$))',
)

export const botium: Format = {
  name: 'botium',
  title: 'a set of Botium conversations',
  // Another sender than `me` makes it a chat log, in which `sender` is the column `role`.
  recognises: (keys, _, cellsOf) =>
    has(keys, ...COLUMNS) && cellsOf('sender').some((sender) => sender.toLowerCase() === 'me'),
  required: COLUMNS,
  columns: () => [
    ['conversationId', 'thread'],
    ['sender', 'read elsewhere'],
    ['text', 'message'],
  ],
  createRowReader: () => {
    let thread = ''
    let hasQuestion = false
    return ({ cell }, out) => {
      const [now, sender, text] = [cell('conversationId'), cell('sender').toLowerCase(), cell('text')]
      hasQuestion &&= now === thread
      thread = now
      if (now === '') out.fail('conversationId is missing; name the conversation')
      else if (sender !== 'me' && sender !== 'bot')
        out.fail(`sender ${excerpt(cell('sender'))} must be me or bot`)
      else if (COMMAND.test(text.replace(/^!/, '')))
        out.lost('command of Botium', 'BUTTONS, INCLUDE, UTT_… and the like are not texts')
      else if (sender === 'me') {
        out.question()
        hasQuestion = true
      } else if (!hasQuestion)
        out.lost('answer before the first question', 'the harness sends the first turn')
      else if (text.startsWith('!')) out.add('expect_not_contains', escapePhrase(text.slice(1).trim()))
      else {
        out.add('expect_answer', text)
        out.changed('text of the bot', 'treated as a reference answer, compared by shared words')
      }
    }
  },
}
