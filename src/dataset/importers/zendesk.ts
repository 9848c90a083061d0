// Zendesk's (Ultimate's) conversation history: what visitors said is asked again, a thread a conversation.
import { excerpt } from '../excerpt.ts'
import type { Reason } from './account.ts'
import { cellAt, ForeignHeader } from './foreign-header.ts'
import { column, ordinary, type Importer } from './importer.ts'

const TITLE = 'a Zendesk conversation history'
const NEEDED = ['conversationId', 'sendTime', 'senderType', 'text']

const AGENTS: Reason = {
  what: 'message of an agent',
  why: 'what a person answered once is nothing to expect of the endpoint',
}
const AGENT_IDS: Reason = { what: 'agentId', why: 'it says who answered, which is nothing to ask or expect' }
const EMPTY: Reason = {
  what: 'message without text',
  why: 'a picture or a file, perhaps; there is nothing to ask',
}
const UNSORTED: Reason = {
  what: 'message sent before the one above it',
  why: 'the order of the rows is kept; sort the rows by sendTime if that is not how it went',
}

export const zendesk: Importer = {
  name: 'zendesk',
  recognises: (header) => new ForeignHeader(header).isWhole(NEEDED, ['agentId']),
  read: (header) => {
    const known = new ForeignHeader(header)
    const made = ['thread', 'message'] as const
    const faults = known.findFaults(TITLE, NEEDED, made)
    if (faults.length > 0) return { kind: 'faulty', faults }
    const [thread, time, sender, text] = NEEDED.map((name) => known.find(name)) as [
      number,
      number,
      number,
      number,
    ]
    const agent = known.find('agentId')
    const others = known.others([thread, time, sender, text, agent], made)
    return {
      kind: 'import',
      title: TITLE,
      columns: [...made.map(column), ordinary('sendTime'), ...others.map(({ column: other }) => other)],
      start: ({ emit, fail, account }) => {
        let before = { name: '', time: Number.NaN }
        return {
          take: ({ cells, line }) => {
            const now = { name: cellAt(cells, thread), time: Date.parse(cellAt(cells, time)) }
            if (now.name === before.name && now.time < before.time) account.changed(UNSORTED, line)
            before = now
            if (cellAt(cells, agent) !== '') account.lost(AGENT_IDS, line)
            const who = cellAt(cells, sender).toLowerCase()
            if (who === 'agent') return account.lost(AGENTS, line)
            if (who !== 'visitor')
              return fail({
                line,
                column: 'senderType',
                message: `senderType ${excerpt(who)} is neither agent nor visitor; write who says it`,
              })
            if (cellAt(cells, text) === '') return account.lost(EMPTY, line)
            account.mapped('message of a visitor')
            emit({
              line,
              cells: [
                now.name,
                cellAt(cells, text),
                cellAt(cells, time),
                ...others.map(({ index }) => cells[index] ?? ''),
              ],
            })
          },
          end: () => undefined,
        }
      },
    }
  },
}
