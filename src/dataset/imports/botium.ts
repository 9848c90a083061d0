// Botium's conversations: what `me` says is sent, what `bot` says is the answer that is expected.
import { excerpt } from '../excerpt.ts'
import { areWhole, phrase, type Format } from './format.ts'

const COLUMNS = ['conversationId', 'sender', 'text']

/** Lines that are commands to Botium, such as BUTTONS or INCLUDE, and names of utterance lists: no text. */
const COMMAND =
  /^(?:UTT_\w+$|[A-Z]+(?:_[A-Z]+)+(?:\s|$)|(?:BUTTONS?|CARDS?|ENTITIES|FORMS?|HASLINK|INCLUDE|INTENT|MEDIA|PAUSE|USERPROFILE|WAITFORBOT)(?:\s|$))/

export const botium: Format = {
  name: 'botium',
  title: 'a set of Botium conversations',
  recognises: (keys) => areWhole(keys, COLUMNS),
  needs: COLUMNS,
  columns: () => [
    ['conversationId', 'thread'],
    ['sender', 'row'],
    ['text', 'row'],
  ],
  start: () => {
    let thread = ''
    return (row, out) => {
      const { line } = row
      const [now = '', sender = '', text = ''] = COLUMNS.map(row.cell)
      if (now !== thread) out.close()
      thread = now
      const who = sender.toLowerCase()
      if (now === '') out.fail({ line, message: 'a row without a conversationId; name its conversation' })
      else if (who !== 'me' && who !== 'bot')
        out.fail({ line, message: `sender ${excerpt(sender)} is neither me nor bot; write who says it` })
      else if (COMMAND.test(text.replace(/^!/, '')))
        out.lost('command of Botium', 'such as BUTTONS, INCLUDE or UTT_…: it is no text', line)
      else if (who === 'me') out.question(row).add('message', text)
      else if (out.open === undefined)
        out.lost('answer before the first question', 'the harness asks first', line)
      else if (text.startsWith('!')) out.open.add('expect_not_contains', phrase(text.slice(1).trim()))
      else {
        out.open.add('expect_answer', text)
        out.changed(
          'text of the bot',
          'it is a reference answer here, compared by the words they share',
          line,
        )
      }
    }
  },
}
