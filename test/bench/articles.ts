// `npm run bench -- articles [FOLDER]`: how often causes of gaps are right (the folder with
// stackfaq-articles.csv and stackfaq-questions.csv; else ASSIST_DATA), and what a report with articles costs.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { readArticles } from '../../src/articles/read.ts'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { projectRoot } from '../support/program.ts'
import { printCauses } from './causes.ts'
import { printGoal } from './goals.ts'
import { inFolder, measureRow, row } from './measured.ts'
import { makeQuestion, makeReply, makeTurn, recordRun } from '../support/recorded.ts'

const ARTICLES = 5000
const QUESTIONS = 2000

/**
 * A report without and with articles: 5,000 of them made of the shipped ones' sentences, and 2,000 questions, of
 * which seven in ten are answered with an excerpt of an article.
 */
async function printCost(folder: string): Promise<void> {
  const shipped = await readArticles(join(projectRoot, 'datasets/knowledge-base'))
  const texts = shipped.articles.flatMap(({ sections }) => sections.map(({ text }) => text))
  const sentences = texts.flatMap((text) => text.split(/(?<=[.!?])\s+/)).filter(({ length }) => length > 30)
  const random = seededRandom(1)
  const draw = (): string => sentences[Math.floor(random() * sentences.length)] ?? ''
  const many = (count: number): string[] => Array.from({ length: count }, draw)
  const articles = Array.from({ length: ARTICLES }, (_, number) => ({
    id: `a${number}`,
    title: `${draw().split(' ').slice(0, 5).join(' ')} ${number}`,
    body: many(12).join(' '),
  }))
  writeFileSync(join(folder, 'own.csv'), stringify(articles, { header: true }))
  const turns = function* (): Generator<AnsweredTurn> {
    for (let number = 0; number < QUESTIONS; number += 1) {
      const { title = '', body = '' } = articles[Math.floor(random() * ARTICLES)] ?? {}
      const isGrounded = random() < 0.7
      const message = `How do I ${title} ${draw()}`
      yield makeTurn({
        question: makeQuestion(`q${number}`, `t${number}`, 1, { message }),
        result: isGrounded
          ? makeReply('KNOWLEDGE_BASE', body.slice(0, 400))
          : makeReply('MODEL', 'I do not know.'),
      })
    }
  }
  recordRun(join(folder, 'run'), { turns: { [Symbol.iterator]: turns } })
  row(`\n${ARTICLES} articles, ${QUESTIONS} questions`, 'seconds', 'peak MB')
  await measureRow('report', folder, ['report', 'run'])
  const words = ['report', 'run', '--articles', 'own.csv']
  const { seconds, peakMb } = await measureRow('report --articles', folder, words)
  printGoal('articlesSeconds', seconds)
  printGoal('articlesMemory', peakMb)
}

const data = process.argv[2] ?? process.env['ASSIST_DATA'] ?? ''
if (existsSync(join(data, 'stackfaq-questions.csv'))) await printCauses(data)
else console.log('Skipped the causes: no stackfaq-questions.csv. Give its folder, or set ASSIST_DATA.')
await inFolder(printCost)
