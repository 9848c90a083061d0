// Google CX Agent Studio's golden conversations: a row a step, several rows a turn, a name above each conversation.
import { CONVERSATION_COLUMNS } from './conversation.ts'
import { ForeignHeader } from './foreign-header.ts'
import { GoldenSteps } from './google-cx-steps.ts'
import { column, type Importer } from './importer.ts'

const TITLE = 'a set of Google CX golden conversations'
const NEEDED = ['display_name', 'turn_index', 'action_type', 'text_content']
const STEPS = [
  'response_agent',
  'expectation_note',
  'image_mime_type',
  'image_content',
  'updated_variables_json',
  'agent_transfer',
  'transfer_agent',
]
const isStep = (name: string): boolean => STEPS.includes(name) || /^(?:tool|image)_/.test(name)

export const googleCx: Importer = {
  name: 'google-cx',
  recognises: (header) =>
    ['display_name', 'turn_index', 'action_type'].every((name) => new ForeignHeader(header).has(name)),
  read: (header) => {
    const known = new ForeignHeader(header)
    const made = [...CONVERSATION_COLUMNS, 'tags', 'turn'] as const
    const faults = known.findFaults(TITLE, NEEDED, [...CONVERSATION_COLUMNS])
    if (faults.length > 0) return { kind: 'faulty', faults }
    const steps = header.flatMap((name, index) => (isStep(name.trim().toLowerCase()) ? [index] : []))
    const taken = [...NEEDED, 'tags'].map((name) => known.find(name))
    const others = known.others([...taken, ...steps], [...made])
    return {
      kind: 'import',
      title: TITLE,
      columns: [
        ...CONVERSATION_COLUMNS.map(column),
        column('tags'),
        ...others.map(({ column: other }) => other),
      ],
      start: (context) =>
        new GoldenSteps(
          known,
          others.map(({ index }) => index),
          context,
        ),
    }
  },
}
