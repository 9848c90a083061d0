// Writes questions of a recorded run as a set, to send them again.
import { existsSync } from 'node:fs'
import { findColumn } from '../dataset/columns.ts'
import { readQuestionSets } from '../dataset/read.ts'
import { PART_COLUMN, type Question } from '../domain/question.ts'
import { listNames } from '../domain/format.ts'
import { readJournal } from '../journal/read.ts'
import { UsageError } from '../options/faults.ts'
import type { RunManifest } from '../options/manifest.ts'
import { renderSetCsv } from '../report/spreadsheet.ts'
import { writeFiles } from '../store/files.ts'
import { runFolder } from '../store/folder.ts'
import { knowledgeBaseOf } from './articles.ts'
import { type Ports, realPorts } from './ports.ts'
import { openRun, type RecordedRun } from './recorded-run.ts'
import { type RunSets, setsOfRun } from './report.ts'
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

/** Reads what sets expect of their questions by now, as cells: people accept values after a run. */
async function expectationsIn({ paths, column }: RunSets): Promise<Expectations> {
  const cells = new Map<string, Question['cells']>()
  for (const path of paths.filter((set) => existsSync(set))) {
    const read = await readQuestionSets([path], { column: await columnsOfSet(path, column) })
    const questions = read.kind === 'faulty' ? [] : read.set.threads.flatMap(({ turns }) => turns)
    for (const question of questions) {
      const expected = Object.entries(question.cells).filter(([name]) =>
        findColumn(name)?.name.startsWith('expect_'),
      )
      cells.set(question.id, Object.fromEntries(expected))
    }
  }
  return cells
}

/** Reads the first questions of a run that begin a conversation. */
export async function firstQuestions(run: string, max: number): Promise<string[]> {
  const messages: string[] = []
  const { journal } = runFolder(run)
  if (!existsSync(journal)) return messages
  for await (const entry of readJournal(journal)) {
    if (messages.length === max) break
    if (entry.kind === 'record' && entry.record.kind === 'question' && entry.record.question.turn === 1)
      messages.push(entry.record.question.message)
  }
  return messages
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
  const rows = questions.map((question) => [
    question.id,
    nameOf(question),
    String(question.turn),
    question.message,
    question.tags.join(';'),
    ...ownColumns.map((name) => expectations.get(question.id)?.[name] ?? question.cells[name] ?? ''),
    runId,
  ])
  return renderSetCsv([...COLUMNS, ...header, PART_COLUMN], rows)
}
