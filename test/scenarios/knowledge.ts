// Protects --kb: the sandbox of a run answers from its folder.
import { step, type Scenario } from './play.ts'

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
    name: 'load and estimate accept --kb, too; merged shards keep the path to the articles',
    set: 'message\nWho repairs the espresso machine?\nWho repairs the espresso machine, please?\n',
    files: { 'kb/espresso.md': '# Espresso machine\n\nAnn repairs it.\n' },
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
