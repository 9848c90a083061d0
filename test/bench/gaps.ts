// How well and how fast gaps are grouped: `npm run bench:gaps [-- banking77.csv]` (columns text, category).
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { clusterGaps, type GapItem } from '../../src/analysis/gaps/cluster-gaps.ts'
import { drawSample, seededRandom } from '../../src/stats/random.ts'
import { scoreClustering } from '../support/clustering-scores.ts'
import { GAP_QUESTIONS } from '../support/gap-questions.ts'

interface Labelled {
  readonly item: GapItem
  readonly label: string
}

const projectFile = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const rowsOf = (file: string): Record<string, string>[] =>
  parse(readFileSync(file, 'utf8'), { columns: true, bom: true })

const label = (message: string, name: string, number: number, context?: string): Labelled => ({
  item: { id: `q${number}`, message, weight: 1, tags: [], ...(context === undefined ? {} : { context }) },
  label: name,
})

/** Questions of the shipped sets that an article covers, with the question that opened their thread. */
function shippedQuestions(): Labelled[] {
  const files = ['quickstart', 'follow-ups', 'regression', 'load'].map((name) => `datasets/${name}.csv`)
  const rows = [...files, 'test/sandbox/fixtures/development-questions.csv'].flatMap((file) => {
    const openings = new Map<string, string>()
    return rowsOf(projectFile(file)).map((row) => {
      const thread = row['thread'] ?? ''
      const context = thread === '' ? undefined : openings.get(thread)
      if (thread !== '' && context === undefined) openings.set(thread, row['message'] ?? '')
      return { message: row['message'] ?? '', article: row['article'] ?? '', context }
    })
  })
  return rows
    .filter(({ article }) => article !== '')
    .map(({ message, article, context }, number) => label(message, article, number, context))
}

function report(name: string, questions: readonly Labelled[]): void {
  const start = performance.now()
  const clusters = clusterGaps(questions.map(({ item }) => item))
  const seconds = (performance.now() - start) / 1000
  const clusterOf = new Map(clusters.flatMap((one, place) => one.questions.map(({ id }) => [id, `${place}`])))
  const scores = scoreClustering(
    questions.map((one) => one.label),
    questions.map(({ item }) => clusterOf.get(item.id) ?? ''),
  )
  const { precision, recall, adjustedRand, vMeasure } = scores
  const groups = clusters.filter((one) => one.questions.length > 1)
  console.log(
    `\n${name}: ${questions.length} questions of ${new Set(questions.map((one) => one.label)).size} topics, ` +
      `${groups.length} groups and ${clusters.length - groups.length} alone, ${seconds.toFixed(2)} s`,
  )
  console.log(
    `  pairs: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}; ` +
      `adjusted Rand ${adjustedRand.toFixed(2)}, V-measure ${vMeasure.toFixed(2)}`,
  )
  for (const { name: named, questions: asked } of groups.slice(0, 8))
    console.log(`  ${asked.length} × ${named}: ${asked[0]?.message.slice(0, 80)}`)
}

const tenTopics = Object.entries(GAP_QUESTIONS).flatMap(([name, messages]) =>
  messages.map((message) => ({ name, message })),
)
report(
  'Ten topics',
  tenTopics.map(({ name, message }, number) => label(message, name, number)),
)
report('Shipped sets', shippedQuestions())

const banking = process.argv[2] ?? projectFile('../shared/data/banking77-test.csv')
if (existsSync(banking)) {
  const all = rowsOf(banking).map((row, number) => label(row['text'] ?? '', row['category'] ?? '', number))
  report('BANKING77, 1,000 drawn', drawSample(all, 1000, seededRandom(1)))
  report('BANKING77, whole test set', all)
  // Variety comes from a word of its own in most questions, as names and numbers do in real ones.
  const random = seededRandom(2)
  const many = (count: number): Labelled[] =>
    Array.from({ length: count }, (_, number) => {
      const { item, label: name } = all[number % all.length] ?? label('', '', 0)
      return label(`${item.message} ref${Math.floor(random() * count)}`, name, number)
    })
  report('5,000 questions', many(5000))
  report('20,000 questions', many(20_000))
} else console.log(`\nNo BANKING77 at ${banking}: left out`)
