// Writes question sets into a folder and reads them, for the tests of this folder.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatFault } from '../../src/dataset/messages.ts'
import { readQuestionSets, type QuestionSet } from '../../src/dataset/read.ts'
import type { Question } from '../../src/domain/question.ts'
import { readRows, type Row } from '../support/rows.ts'

/** The rows of a table in this folder. */
export const rowsOf = <R = Row>(table: string): R[] => readRows<R>(new URL(table, import.meta.url))

export function writeSet(folder: string, content: string | Uint8Array, name = 'set.csv'): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** CSV with every cell quoted. */
export const csvOf = (rows: readonly (readonly string[])[], separator = ','): string =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)).join('\n')

const withoutFolder = (line: string): string => line.replace(/^.*\/(?=[\w-]+\.(?:csv|xlsx))/, '')

/** Returns the set. Throws an error that lists the faults. */
export async function readValid(paths: string | readonly string[], format?: string): Promise<QuestionSet> {
  const reading = await readQuestionSets([paths].flat(), { format })
  if (reading.kind === 'valid') return reading.set
  throw new Error(`faulty:\n${reading.faults.map(formatFault).join('\n')}`)
}

/** The faults as printed, without the folder. */
export async function readFaults(path: string, format?: string): Promise<string[]> {
  const reading = await readQuestionSets([path], { format })
  return reading.kind === 'valid' ? [] : reading.faults.map((fault) => withoutFolder(formatFault(fault)))
}

/** The warnings as printed, without the folder. */
export const warningsOf = (set: QuestionSet): string[] => set.warnings.map(withoutFolder)

export const questionsOf = (set: QuestionSet): Question[] => set.threads.flatMap(({ turns }) => [...turns])

export const messagesOf = (set: QuestionSet): string[] => questionsOf(set).map(({ message }) => message)
