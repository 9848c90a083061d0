// From which articles the sandbox of a run answers: those of --kb, or those that the package ships.
import { step, type Scenario } from './play.ts'

const COFFEE = 'Who repairs the espresso machine in the kitchen?'
const SET = `message\n${COFFEE}\n${COFFEE} Please.\n`
const says = (who: string): string =>
  `The espresso machine in the kitchen: ${who} repairs it within ${who.length} days.`
const ARTICLE = (who: string): string => `# Espresso machine\n\n${says(who)}\n`

/** The results where both questions are answered from that article. */
function from(who: string): readonly string[] {
  const row = `KNOWLEDGE_BASE|${says(who)}`
  return ['context_source|answer', row, row]
}

export const KNOWLEDGE: readonly Scenario[] = [
  {
    name: 'run --sandbox --kb DIR answers from the folder, and finds an article by its title of common words',
    files: {
      'kb/home.md': '# Work from home\n\nTwo days a week.',
      'kb/office.md': '# Office\n\nOpen at eight.',
    },
    account: [],
    set: 'id,message\na,Work from home\nb,Which planets have rings?\n',
    steps: [
      step('run set.csv --sandbox --kb kb --out out', 0, {
        results: ['id|context_source|status', 'a|KNOWLEDGE_BASE|success', 'b|MODEL|success'],
      }),
    ],
    conversations: [],
  },
  {
    name: 'an edit of an article between two runs is seen by compare',
    set: SET,
    files: { 'kb/espresso.md': ARTICLE('Ann') },
    account: [],
    steps: [
      step('run set.csv --sandbox --kb kb --out before', 0, {
        folder: 'before',
        results: from('Ann'),
        holds: { 'before/run.json': { 'target.knowledgeBase': '../kb' } },
      }),
      step('run set.csv --sandbox --kb kb --out after', 0, {
        files: { 'kb/espresso.md': ARTICLE('Bobby') },
        folder: 'after',
        results: from('Bobby'),
      }),
      step('compare before after --json', 0, {
        json: {
          'candidates.0.changes.0.factsLost.0.text': '3 days',
          'candidates.0.changes.0.factsGained.0.text': '5 days',
          'candidates.0.changes.1.factsLost.0.text': '3 days',
          'candidates.0.changes.1.factsGained.0.text': '5 days',
        },
      }),
    ],
  },
  {
    name: 'load and estimate take --kb, too; merged shards keep the way to the articles',
    set: SET,
    files: { 'kb/espresso.md': ARTICLE('Ann') },
    account: [],
    steps: [
      step('load set.csv --sandbox --kb kb --arrival-rate 2/s --duration 1s --out load', 0, {
        shows: { 'load/journal.ndjson': /Ann repairs it/ },
      }),
      step('estimate set.csv --sandbox --kb kb', 0),
      step('run set.csv --sandbox --kb kb --shard 1/2 --out of/two/1', 0),
      step('run set.csv --sandbox --kb kb --shard 2/2 --out of/two/2', 0),
      step('merge of/two/1 of/two/2 --out whole', 0, {
        holds: {
          'of/two/1/run.json': { 'target.knowledgeBase': '../../../kb' },
          'whole/run.json': { 'target.knowledgeBase': '../kb' },
        },
      }),
    ],
  },
]
