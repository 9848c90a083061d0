// Botium's conversations: what `me` says is asked, what `bot` says is the answer that is expected.
import { excerpt } from '../excerpt.ts'
import type { Reason } from './importer.ts'
import { CONVERSATION_COLUMNS, Conversation } from './conversation.ts'
import { cellAt, ForeignHeader } from './foreign-header.ts'
import { column, type ImportContext, type Importer } from './importer.ts'

const TITLE = 'a set of Botium conversations'
const NEEDED = ['conversationId', 'sender', 'text']

const EARLY: Reason = {
  what: 'answer before the first question',
  why: 'the harness asks first; a greeting cannot be expected',
}
const HOOK: Reason = {
  what: 'logic hook or input of Botium',
  why: 'such as INCLUDE, PAUSE or BUTTON: they are no text to ask',
}
const ASSERTER: Reason = {
  what: 'asserter of Botium',
  why: 'such as BUTTONS or INTENT: the endpoint answers with text alone',
}
const UTTERANCE: Reason = {
  what: 'name of an utterance list',
  why: 'the lists are in files of their own; write the text itself',
}
const COMPARED: Reason = {
  what: 'text of the bot',
  why: 'Botium looks for it in the answer; here it is a reference answer, compared by the words they share',
}

/** Lines of a Botium convo that are commands to Botium, not text. */
const COMMAND =
  /^(?:ASSIGN_SCRIPTING_MEMORY|BUTTONS?|BUTTONS_COUNT|CARDS?|CARDS_COUNT|CLEAR_QUEUE|CLEAR_SCRIPTING_MEMORY|CONDITIONAL_\w+|ENTITIES|ENTITY_\w+|FORMS?|HASLINK|INCLUDE|INTENT\w*|JSON_PATH|MEDIA\w*|ORDERED_LIST_TO_BUTTON|PAUSE|RESPONSE_LENGTH|SET_SCRIPTING_MEMORY|SKIP_BOT_\w+|TEXT_[A-Z_]+|UPDATE_CUSTOM|USERPROFILE|WAITFORBOT)(?:\s|$)/

const isUtterance = (text: string): boolean => /^UTT_\w+$/.test(text)

export const botium: Importer = {
  name: 'botium',
  recognises: (header) => new ForeignHeader(header).isWhole(NEEDED),
  read: (header) => {
    const known = new ForeignHeader(header)
    const faults = known.findFaults(TITLE, NEEDED, [...CONVERSATION_COLUMNS])
    if (faults.length > 0) return { kind: 'faulty', faults }
    const [thread, sender, text] = NEEDED.map((name) => known.find(name)) as [number, number, number]
    const others = known.others([thread, sender, text], [...CONVERSATION_COLUMNS])
    return {
      kind: 'import',
      title: TITLE,
      columns: [...CONVERSATION_COLUMNS.map(column), ...others.map(({ column: other }) => other)],
      start: (context) => {
        const conversation = new Conversation(context)
        let name: string | undefined
        return {
          take: ({ cells, line }) => {
            const now = cellAt(cells, thread)
            if (now !== name) conversation.end()
            name = now
            const who = cellAt(cells, sender).toLowerCase()
            const more = others.map(({ index }) => cells[index] ?? '')
            if (now === '')
              context.fail({
                line,
                column: 'conversationId',
                message: 'a row without a conversationId; name its conversation',
              })
            else if (who === 'me') ask(context, conversation, { line, name, text: cellAt(cells, text), more })
            else if (who === 'bot') expect(context, conversation, cellAt(cells, text), line)
            else
              context.fail({
                line,
                column: 'sender',
                message: `sender ${excerpt(who)} is neither me nor bot; write who says it`,
              })
          },
          end: () => conversation.end(),
        }
      },
    }
  },
}

interface Line {
  readonly line: number
  readonly name: string
  readonly text: string
  readonly more: readonly string[]
}

function ask({ account }: ImportContext, conversation: Conversation, { line, name, text, more }: Line): void {
  if (COMMAND.test(text)) return account.lost(HOOK, line)
  if (isUtterance(text)) return account.lost(UTTERANCE, line)
  conversation.ask(line, name, text, more)
}

/** Behind an exclamation mark stands what must not be said. */
function expect({ account }: ImportContext, conversation: Conversation, text: string, line: number): void {
  if (text === '') return
  const isNot = /^!(?!\s*$)/.test(text)
  const said = isNot ? text.slice(1).trim() : text
  if (COMMAND.test(said)) return account.lost(ASSERTER, line)
  if (isUtterance(said)) return account.lost(UTTERANCE, line)
  if (!conversation.add(isNot ? 'excluded' : 'answers', said, line)) return account.lost(EARLY, line)
  if (!isNot) account.changed(COMPARED, line)
}
