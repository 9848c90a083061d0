// Writes question sets into a temporary folder and reads them, for the tests of this room.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Question } from '../../src/domain/question.ts'
import { formatFault } from '../../src/dataset/remarks.ts'
import { readQuestionSets, type QuestionSet } from '../../src/dataset/read.ts'

export function writeSet(folder: string, content: string | Uint8Array, name = 'set.csv'): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The set, or an error that lists the faults. */
export async function readSound(...paths: string[]): Promise<QuestionSet> {
  const reading = await readQuestionSets(paths)
  if (reading.kind === 'valid') return reading.set
  throw new Error(`faulty:\n${reading.faults.map(formatFault).join('\n')}`)
}

/** The faults as they are printed, without the folder. */
export async function readFaults(folder: string, ...paths: string[]): Promise<string[]> {
  const reading = await readQuestionSets(paths)
  if (reading.kind === 'valid') return []
  return reading.faults.map((fault) => formatFault(fault).replaceAll(`${folder}/`, ''))
}

export const questionsOf = (set: QuestionSet): Question[] => set.threads.flatMap(({ turns }) => [...turns])

export const messagesOf = (set: QuestionSet): string[] => questionsOf(set).map(({ message }) => message)
