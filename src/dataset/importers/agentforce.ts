// Agentforce's Testing Center: an utterance, the topic, the actions and the response that are expected.
import type { Reason } from './account.ts'
import { cellAt, ForeignHeader } from './foreign-header.ts'
import { column, type Importer } from './importer.ts'

const TITLE = 'an Agentforce test set'
const ROUTES = ['Expected Topic', 'Expected Subagent']
const CARRIED = [...ROUTES, 'Expected Actions', 'Conversation History']
const MADE = ['message', 'expect_answer'] as const

const lost = (what: string, why: string): Reason => ({ what, why })
const TOPIC = lost(
  'Expected Topic or Subagent',
  'the endpoint does not say how it routed; carried along, not checked',
)
const ACTIONS = lost('Expected Actions', 'the endpoint does not say what it did; carried along, not checked')
const HISTORY = lost('Conversation History', 'the question is asked without it; carried along')
const JUDGED = lost(
  'Expected Response',
  'a model judges it there; here it is a reference answer, compared by the words they share',
)

export const agentforce: Importer = {
  name: 'agentforce',
  recognises: (header) => {
    const known = new ForeignHeader(header)
    const context = header.filter((name) => /^context ?variable/i.test(name.trim()))
    return (
      ROUTES.some((name) => known.has(name)) &&
      known.isWhole(['Utterance'], [...CARRIED, 'Expected Response', ...context])
    )
  },
  read: (header) => {
    const known = new ForeignHeader(header)
    const faults = known.findFaults(TITLE, ['Utterance'], MADE)
    if (faults.length > 0) return { kind: 'faulty', faults }
    const [utterance, response] = [known.find('Utterance'), known.find('Expected Response')]
    const others = known.others([utterance, response], MADE)
    const kinds: readonly (readonly [number, Reason])[] = [
      [known.find(...ROUTES), TOPIC],
      [known.find('Expected Actions'), ACTIONS],
      [known.find('Conversation History'), HISTORY],
    ]
    return {
      kind: 'import',
      title: TITLE,
      columns: [...MADE.map(column), ...others.map(({ column: other }) => other)],
      start: ({ emit, account }) => ({
        take: ({ cells, line }) => {
          for (const [index, reason] of kinds)
            if (!/^(?:\[\])?$/.test(cellAt(cells, index))) account.lost(reason, line)
          const answer = cellAt(cells, response)
          if (answer !== '') {
            account.mapped('reference answer')
            account.changed(JUDGED, line)
          }
          emit({
            line,
            cells: [cellAt(cells, utterance), answer, ...others.map(({ index }) => cells[index] ?? '')],
          })
        },
        end: () => undefined,
      }),
    }
  },
}
