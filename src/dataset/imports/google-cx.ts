// Google CX Agent Studio golden conversations: a row per step, several per turn; the first names the
// conversation.
import { excerpt } from '../messages.ts'
import { has, type Format } from './format.ts'

/** Steps without a counterpart, with the reason. */
const LOST: Readonly<Record<string, string>> = {
  INPUT_IMAGE: 'the endpoint accepts only text',
  INPUT_TOOL_RESPONSE: 'the endpoint has no tools',
  INPUT_UPDATED_VARIABLES: 'the endpoint accepts no variables',
  EXPECTATION_TOOL_CALL: 'the endpoint does not say which tools it called',
  EXPECTATION_TOOL_RESPONSE: 'the endpoint does not say what its tools returned',
  EXPECTATION_AGENT_TRANSFER: 'the endpoint does not say which agent answered',
}
const STEP = new RegExp(
  '^(?:display_name|action_type|response_agent|expectation_note|updated_variables_json|agent_transfer' +
    '|transfer_agent|(?:tool|image)_.*)$',
  'i',
)

export const googleCx: Format = {
  name: 'google-cx',
  title: 'a set of Google CX golden conversations',
  recognises: (keys) => has(keys, 'display_name', 'turn_index', 'action_type'),
  required: ['display_name', 'turn_index', 'action_type', 'text_content'],
  columns: () => [
    [STEP, 'read elsewhere'],
    ['turn_index', 'turn'],
    ['text_content', 'message'],
    ['tags', (cell, out) => cell.split(',').forEach((tag) => out.add('tags', tag))],
  ],
  createRowReader: () => {
    let [thread, tags] = ['', '']
    let hasQuestion = false
    return ({ cell }, out) => {
      const [name, action] = [cell('display_name'), cell('action_type').toUpperCase()]
      if (name !== '' && name !== thread) {
        ;[thread, tags] = [name, cell('tags').replaceAll(',', ';')]
        hasQuestion = false
      }
      // The row that names a conversation may have no step.
      if (action === '' && name !== '') return
      if (thread === '')
        out.fail('the step comes before the first display_name; name its conversation above it')
      else if (action === 'INPUT_TEXT') {
        out.question()
        hasQuestion = true
        out.add('thread', thread)
        out.add('tags', tags)
      } else if (action === 'EXPECTATION_TEXT' && !hasQuestion)
        out.lost('expectation before the first question', 'the harness sends the first turn')
      else if (action === 'EXPECTATION_TEXT') {
        out.add('expect_answer', cell('text_content'))
        if (cell('expectation_note') !== '') out.lost('expectation_note', 'an expectation has no note here')
        out.changed(action, 'treated as a reference answer, compared by shared words')
      } else if (LOST[action] !== undefined) out.lost(action, LOST[action])
      else {
        const known = ['INPUT_TEXT', 'EXPECTATION_TEXT', ...Object.keys(LOST)].join(', ')
        out.fail(`action_type ${excerpt(action)} must be one of ${known}; fix it, or delete the row`)
      }
    }
  },
}
