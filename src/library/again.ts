// From a recorded run back to its sets: questions to send again, and what is to do in the articles.
import { existsSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { decisionsOn } from '../analysis/articles/decisions.ts'
import { findColumn } from '../dataset/columns.ts'
import { readQuestionSets } from '../dataset/read.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { listNames } from '../domain/format.ts'
import type { Question } from '../domain/question.ts'
import { articlesSchema } from '../domain/summary.ts'
import { ownValue } from '../domain/text.ts'
import { listToDo, type ToDo } from '../domain/to-do.ts'
import { PART_COLUMN } from '../domain/viewed-set.ts'
import { UsageError } from '../options/faults.ts'
import type { RunManifest } from '../options/manifest.ts'
import { answerKey } from '../page/acts.ts'
import { renderSetCsv } from '../report/spreadsheet.ts'
import { readKnown, writeFiles } from '../store/files.ts'
import { runFolder } from '../store/folder.ts'
import { articlesOfRun, knowledgeBaseOf } from './articles.ts'
import { type Ports, realPorts } from './ports.ts'
import { openRun, type RecordedRun } from './recorded-run.ts'
import { recordedReport, type RunSets, setsOfRun } from './report.ts'
import { decisionsOf, reviewsIn } from './reviews.ts'
import { columnsOfSet } from './sets.ts'

const COLUMNS = ['id', 'thread', 'turn', 'message', 'tags'] as const

export async function questionsAgain(
  folder: string,
  ids: readonly string[],
  file: string,
  sets: RunSets = setsOfRun(folder),
  ports: Ports = realPorts(),
) {
  const run = await openRun(folder, 'only the questions of a run can be sent again', { ports })
  const { text, ...counts } = setOfQuestions(run, ids, ports, await expectationsIn(sets))
  await writeFiles([[file, text]])
  return { ...counts, knowledgeBase: knowledgeBaseOf(run) }
}

/** Throws UsageError for a question that the run does not have. */
export function setOfQuestions(
  run: RecordedRun,
  ids: readonly string[],
  ports: Ports,
  expectations: Expectations = new Map(),
) {
  const { model, manifest } = run
  const sent = model.slots
    .filter(({ repeat }) => repeat === 1)
    .flatMap(({ index }) => model.questions[index] ?? [])
  const wanted = new Set(ids)
  const known = new Set(sent.map(({ id }) => id))
  const missing = [...wanted].filter((id) => !known.has(id))
  if (wanted.size === 0) throw new UsageError('name a question to send again')
  if (missing.length > 0) throw new UsageError(`${run.path} has no question ${listNames(missing)}`)
  const questions = withThoseBefore(sent, wanted)
  const text = ports.secrets.mask(tableOf(questions, manifest, expectations))
  return { text, questions: wanted.size, calls: questions.length }
}

type Expectations = ReadonlyMap<string, Question['cells']>

/** Reads the questions of sets as they are by now: people accept values after a run. */
async function questionsNow({ paths, column }: RunSets): Promise<Question[]> {
  const questions: Question[] = []
  for (const path of paths.filter((set) => existsSync(set))) {
    const read = await readQuestionSets([path], { column: await columnsOfSet(path, column) })
    if (read.kind !== 'faulty') questions.push(...read.set.threads.flatMap(({ turns }) => turns))
  }
  return questions
}

async function expectationsIn(sets: RunSets): Promise<Expectations> {
  const isExpectation = ([name]: [string, string]) => findColumn(name)?.name.startsWith('expect_')
  const cellsOf = ({ cells }: Question) => Object.fromEntries(Object.entries(cells).filter(isExpectation))
  return new Map((await questionsNow(sets)).map((question) => [question.id, cellsOf(question)]))
}

export async function expectedNow(
  paths: readonly string[],
  column: readonly string[] = [],
): Promise<Record<string, readonly string[]>> {
  const textsOf = ({ contains = [], notContains = [], answer }: NonNullable<Question['expect']>) => [
    ...contains,
    ...notContains,
    ...(answer ? [answer.text] : []),
  ]
  const questions = await questionsNow({ paths, column })
  return Object.fromEntries(questions.map(({ id, expect = {} }) => [id, textsOf(expect)]))
}

const conversationOf = ({ file, thread }: Question): string => JSON.stringify([file, thread])

function withThoseBefore(sent: readonly Question[], wanted: ReadonlySet<string>): Question[] {
  const last = new Map<string, number>()
  for (const question of sent) {
    const key = conversationOf(question)
    if (wanted.has(question.id)) last.set(key, Math.max(last.get(key) ?? 0, question.turn))
  }
  return sent.filter((question) => question.turn <= (last.get(conversationOf(question)) ?? 0))
}

function tableOf(
  questions: readonly Question[],
  { columns, runId }: RunManifest,
  expectations: Expectations,
): string {
  // A run of several sets may have two threads of one name.
  const fileOf = new Map(questions.toReversed().map(({ thread, file }) => [thread, file]))
  const nameOf = ({ thread, file }: Question): string =>
    fileOf.get(thread) === file ? thread : `${thread} (${file + 1})`
  const added = questions.flatMap(({ id }) => Object.keys(expectations.get(id) ?? {}))
  const ownColumns = [...new Set([...columns, ...added])].filter((name) => name !== PART_COLUMN)
  // In results, such a column is one of the set's own; here it would choose the rows.
  const header = ownColumns.map((name) => (findColumn(name)?.name === 'role' ? `${name} (set)` : name))
  const cellsOf = ({ id, cells }: Question) => ({ ...cells, ...expectations.get(id) })
  const rows = questions.map((question) => [
    question.id,
    nameOf(question),
    String(question.turn),
    question.message,
    question.tags.join(';'),
    ...ownColumns.map((name) => ownValue(cellsOf(question), name) ?? ''),
    runId,
  ])
  return renderSetCsv([...COLUMNS, ...header, PART_COLUMN], rows)
}

const summarySchema = z.object({ articles: articlesSchema.pick({ contradictions: true }).nullish() })

export async function toDo(
  run: string,
  { paths, column }: RunSets = setsOfRun(run),
  ports: Ports = realPorts(),
): Promise<readonly ToDo[]> {
  const { page } = await recordedReport({ folder: run, mayWrite: false }, ports)
  if (page === null) return []
  const turns = page.turns.flatMap(
    (block) => JSON.parse(gunzipSync(Buffer.from(block, 'base64')).toString()) as PageTurn[],
  )
  const { known: summary } = readKnown(runFolder(run).summary, summarySchema)
  const articles = new Map(
    (await articlesOfRun(run)).map(({ article, title, url }) => [
      article,
      { article, title, url, section: '' },
    ]),
  )
  const decisions = decisionsOn(await decisionsOf(run), new Set(articles.keys()))
  const rated = new Map(
    (await reviewsIn(run)).map(({ questionId, answer, review }) => [answerKey(questionId, answer), review]),
  )
  const expected = new Map(Object.entries(await expectedNow(paths, column)))
  return listToDo(turns, summary?.articles?.contradictions ?? [], {
    decidedOn: (turn) => {
      const { article } = decisions.of(turn) ?? {}
      return typeof article === 'string' ? articles.get(article) : article
    },
    isGood: ({ id, answer }) => rated.get(answerKey(id, answer)) === 'good',
    expectedOf: ({ id }) => expected.get(id) ?? [],
  })
}
