// Reads files that other tools made, for the tests of their importers.
import { fileURLToPath } from 'node:url'
import type { FormatChoice } from '../../../src/dataset/formats.ts'
import { formatFault } from '../../../src/dataset/remarks.ts'
import { readQuestionSets, type QuestionSet } from '../../../src/dataset/read.ts'
import type { Expectations } from '../../../src/domain/question.ts'
import { questionsOf, writeSet } from '../reading-files.ts'

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

/** The set, or an error that lists the faults. */
export async function importSet(path: string, choice: FormatChoice = {}): Promise<QuestionSet> {
  const reading = await readQuestionSets([path], choice)
  if (reading.kind === 'valid') return reading.set
  throw new Error(`faulty:\n${reading.faults.map(formatFault).join('\n')}`)
}

export const importText = async (folder: string, text: string, choice?: FormatChoice): Promise<QuestionSet> =>
  importSet(writeSet(folder, text), choice)

export async function importFaults(folder: string, text: string, choice?: FormatChoice): Promise<string[]> {
  const reading = await readQuestionSets([writeSet(folder, text)], choice)
  return reading.kind === 'valid' ? [] : reading.faults.map((fault) => withoutFolder(formatFault(fault)))
}

const withoutFolder = (line: string): string => line.replace(/^.*\/(?=[\w-]+\.csv)/, '')

/** The account as it is printed, without the folder. */
export const accountOf = (set: QuestionSet): string[] => set.warnings.map(withoutFolder)

export interface Imported {
  readonly thread: string
  readonly turn: number
  readonly message: string
  readonly expect?: Expectations
}

/** What is sent and expected; a thread that is named by the file by its name, else empty. */
export const importedIn = (set: QuestionSet): Imported[] =>
  questionsOf(set).map(({ thread, turn, message, expect, id }) => ({
    thread: thread === id ? '' : thread,
    turn,
    message,
    ...(expect !== undefined && { expect }),
  }))
