// What people decided about questions: `decisions.csv` beside the runs, a log like reviews.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readDecisions } from '../dataset/decisions.ts'
import type { Decision, NewDecision } from '../domain/articles.ts'
import { faultsError } from '../options/faults.ts'
import { renderSpreadsheet, type SheetColumn } from '../report/spreadsheet.ts'
import { appendRow } from '../store/files.ts'
import { isRun, noRun, runFolder } from '../store/folder.ts'
import { readManifest } from '../store/manifest.ts'
import { decisionFiles } from './articles.ts'

const COLUMNS: readonly SheetColumn<NewDecision>[] = [
  ['id', ({ id }) => id],
  ['message', ({ message }) => message],
  ['article', ({ article }) => (article === null ? 'none' : article)],
  ['by', ({ by }) => by],
  ['at', ({ at }) => at],
]

const render = (rows: readonly NewDecision[]): string =>
  [...renderSpreadsheet({ columns: COLUMNS, rows })].join('')

/** The file that the run was judged by. */
function namedFile(run: string): string | undefined {
  if (!isRun(run)) throw noRun(run)
  const { options } = readManifest(runFolder(run))
  const named = 'decisions' in options ? options.decisions : null
  return named === null ? undefined : join(run, named)
}

export async function decisionsOf(run: string): Promise<readonly Decision[]> {
  const named = namedFile(run)
  return read(...(named === undefined ? decisionFiles(run) : [named].filter((path) => existsSync(path))))
}

async function read(...paths: readonly string[]): Promise<readonly Decision[]> {
  const { decisions, faults } = await readDecisions(...paths)
  if (faults.length > 0) throw faultsError(faults, 'sent or written')
  return decisions
}

export async function addDecision(run: string, decision: NewDecision): Promise<void> {
  const path = namedFile(run) ?? join(dirname(run), 'decisions.csv')
  return appendRow({ path, render, read: async () => (existsSync(path) ? read(path) : []) }, decision)
}
