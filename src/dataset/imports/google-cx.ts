// Google CX Agent Studio's golden conversations: a row a step, several rows a turn, a name above each conversation.
import { excerpt } from '../excerpt.ts'
import type { ForeignRow, Format } from './format.ts'

/** Steps that a question has no counterpart for. */
const LOST: Readonly<Record<string, string>> = {
  INPUT_IMAGE: 'the endpoint takes text alone',
  INPUT_TOOL_RESPONSE: 'the endpoint has no tools that could be answered for',
  INPUT_UPDATED_VARIABLES: 'the endpoint takes no variables',
  EXPECTATION_TOOL_CALL: 'the endpoint does not say which tools it called',
  EXPECTATION_TOOL_RESPONSE: 'the endpoint does not say what its tools returned',
  EXPECTATION_AGENT_TRANSFER: 'the endpoint does not say which agent answered',
}
const STEP =
  /^(?:display_name|turn_index|action_type|text_content|response_agent|expectation_note|updated_variables_json|agent_transfer|transfer_agent|(?:tool|image)_.*)$/i

export const googleCx: Format = {
  name: 'google-cx',
  title: 'a set of Google CX golden conversations',
  recognises: (keys) => ['displayname', 'turnindex', 'actiontype'].every((key) => keys.includes(key)),
  needs: ['display_name', 'turn_index', 'action_type', 'text_content'],
  columns: () => [
    [STEP, 'row'],
    ['tags', (cell, draft) => cell.split(/[;,]/).forEach((tag) => draft.add('tags', tag.trim()))],
  ],
  start: () => {
    const begun = new Map<string, number>()
    let thread = ''
    let turn = 0
    let top: ForeignRow | undefined
    return (row, out) => {
      const { line } = row
      const name = row.cell('display_name')
      if (name !== '' && name !== thread) {
        out.close()
        if (begun.has(name))
          out.fail({
            line,
            message: `the conversation ${excerpt(name)} begins in line ${begun.get(name)} already`,
          })
        begun.set(name, line)
        ;[thread, turn, top] = [name, 0, row]
      }
      const action = row.cell('action_type').toUpperCase()
      if (action === '' && name !== '') return
      const index = Number(row.cell('turn_index'))
      if (thread === '')
        return out.fail({
          line,
          message: 'a step before the first display_name; name its conversation above',
        })
      if (!Number.isInteger(index) || (turn === 0 ? index !== 1 : index < turn))
        out.fail({
          line,
          message: `turn_index ${excerpt(row.cell('turn_index'))} follows ${turn}; number the turns of a conversation from 1 on, never falling`,
        })
      turn = Math.max(turn, index || 0)
      const text = row.cell('text_content')
      if (action === 'INPUT_TEXT') {
        // What stands in the row with the name holds for its turns.
        const cells = row.cells.map((cell, place) => (cell.trim() === '' ? (top?.cells[place] ?? '') : cell))
        const draft = out.question({ ...row, cells })
        draft.add('thread', thread)
        draft.add('message', text)
      } else if (action !== 'EXPECTATION_TEXT') {
        const why = LOST[action]
        if (why !== undefined) return out.lost(action, why, line)
        const known = ['INPUT_TEXT', 'EXPECTATION_TEXT', ...Object.keys(LOST)].join(', ')
        out.fail({
          line,
          message: `action_type ${excerpt(action)} is none of ${known}; fix it, or delete the row`,
        })
      } else if (out.open === undefined)
        out.lost('expectation before the first question', 'the harness asks first', line)
      else {
        out.open.add('expect_answer', text)
        out.open.add('note', row.cell('expectation_note'))
        out.changed(
          action,
          'a model judges it there; here it is a reference answer, compared by the words',
          line,
        )
      }
    }
  },
}
