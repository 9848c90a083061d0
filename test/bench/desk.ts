// The causes and misfits of the desk case (the folder `desk-case` beside stackfaq-questions.csv), whose truth is
// known, and the causes of the shipped sets' follow-ups. The rules were tuned on both.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { calibrate, causeOf, lineOf, SURE, trialsOf } from '../../src/analysis/articles/causes.ts'
import { consultArticles, indexArticles } from '../../src/analysis/articles/consult.ts'
import { fitOf } from '../../src/analysis/articles/misfits.ts'
import { createEarlier, createOpenings } from '../../src/analysis/gaps/collect.ts'
import type { Repeats } from '../../src/analysis/figures/graded.ts'
import { readArticles } from '../../src/articles/read.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import { readTaught } from '../../src/library/articles.ts'
import { projectRoot } from '../support/program.ts'
import { makeQuestion, makeReply, makeTurn } from '../support/recorded.ts'
import { readCsv } from './measured.ts'

export const deskAnswers = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')) as Record<
    string,
    { readonly message: string; readonly contextSource: string } | undefined
  >

function turnsOf(folder: string): Repeats[] {
  const answers = deskAnswers(folder)
  const turns = new Map<string, number>()
  return readCsv(join(folder, 'questions.csv')).map(({ id = '', thread = '', message = '' }, index) => {
    turns.set(thread, (turns.get(thread) ?? 0) + 1)
    const question = makeQuestion(id, thread, turns.get(thread) ?? 1, { message })
    const { message: answer = '', contextSource = '' } = answers[message] ?? {}
    return [makeTurn({ index, question, result: makeReply(contextSource, answer) })]
  })
}

/** The desk case's gaps, whose cause is right, wrong or unclear, and its answers that are marked. */
export async function measureDesk(folder: string, files: Parameters<typeof readTaught>[0]) {
  const { articles } = await readArticles(join(folder, 'articles'))
  const questions = turnsOf(folder)
  const indexes = indexArticles(articles, await readTaught(files))
  const consulted = consultArticles(questions, ['KNOWLEDGE_BASE'], indexes)
  const counts = { right: 0, wrong: 0, unclear: 0, marked: 0, markedWrongly: 0 }
  for (const [index, { right_article: right = '', kind = '' }] of readCsv(
    join(folder, 'truth.csv'),
  ).entries()) {
    const turn = questions[index]?.[0] as AnsweredTurn
    const found = consulted.of(turn)
    if (found?.kind === 'answer' && found.misfit !== null)
      counts[kind === 'W' ? 'marked' : 'markedWrongly'] += 1
    if (found?.kind !== 'gap') continue
    const isFirst = found.nearest[0]?.article.replace(/\.\w+$/, '') === right
    if (found.cause === 'unclear') counts[kind === 'D' ? 'right' : 'unclear'] += 1
    else counts[(found.cause === 'no-article' ? kind === 'H' : isFirst) ? 'right' : 'wrong'] += 1
  }
  return counts
}

const WEAK = { strength: 0.1 }
const FOLDS = 10

/**
 * Of each follow-up of the shipped sets: its cause with its article in the index and with that article left out,
 * by a line drawn without a tenth of the articles, of which this is one. And how often an answer from it is marked.
 */
export async function measureFollowUps() {
  const { articles } = await readArticles(join(projectRoot, 'datasets/knowledge-base'))
  const ids = articles.map(({ id }) => id)
  const asked = ['regression.csv', 'follow-ups.csv'].flatMap((set) => {
    const [openingOf, earlierOf] = [createOpenings(), createEarlier()]
    return readCsv(join(projectRoot, 'datasets', set)).flatMap(
      ({ thread = '', turn = '', message = '', article = '' }) => {
        const question = makeQuestion(message, thread, Number(turn), { message })
        const before = { opening: openingOf(question), earlier: earlierOf(question) }
        return ids.includes(article) ? [{ question: message, article, ...before }] : []
      },
    )
  })
  const index = new ArticleIndex(articles)
  const trials = asked.flatMap((question) => trialsOf(index, question))
  let [tried, decided, right] = [0, 0, 0]
  const followUps = asked.filter(({ opening }) => opening !== undefined)
  const marked = followUps.filter(
    ({ question: message, earlier, article }) =>
      fitOf(index, { message, earlier }, article).other !== undefined,
  )
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const isIn = (article: string): boolean => ids.indexOf(article) % FOLDS === fold
    const line = {
      ...calibrate(index, []),
      model: lineOf(
        trials.filter(({ article }) => !isIn(article)),
        WEAK,
      ),
      sure: SURE,
    }
    for (const { question: message, opening, article } of followUps) {
      if (!isIn(article)) continue
      const without = new ArticleIndex(articles.filter(({ id }) => id !== article))
      for (const each of [index, without]) {
        const { cause, nearest } = causeOf(each, { message, opening }, line)
        tried += 1
        if (cause === 'unclear') continue
        decided += 1
        if (each === index ? cause === 'not-used' && nearest[0]?.article === article : cause === 'no-article')
          right += 1
      }
    }
  }
  return { tried, decided, right, marked: marked.length / followUps.length }
}
