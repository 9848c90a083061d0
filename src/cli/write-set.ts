// `validate --write`: question sets into one new file, in the harness's own form.
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeOwnForm } from '../dataset/own-form.ts'
import { visible } from '../report/visible.ts'
import { writeWhole } from './files.ts'
import type { RunSettings } from './options/run-options.ts'
import { planQuestions } from './planned-questions.ts'
import { say } from './output.ts'
import { openSets } from './question-sets.ts'
import { UsageError } from './usage-error.ts'

/** Where to write, if it was said; a file that is there is never written over. Throws UsageError. */
export function findTarget(typed: unknown): string | undefined {
  if (typed === undefined) return undefined
  if (typeof typed !== 'string') throw new UsageError('--write is given twice; give it once')
  if (typed.trim() === '')
    throw new UsageError('--write must be the name of a new file, like --write questions.csv')
  if (existsSync(typed)) throw new UsageError(`--write ${typed}: the file is there already; name a new one`)
  const folder = dirname(typed)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UsageError(`--write ${typed}: there is no folder ${folder}; make it first`)
  return typed
}

export async function writeSet(
  target: string,
  datasets: readonly string[],
  settings: RunSettings,
): Promise<void> {
  const set = await openSets(datasets, settings, {})
  const { threads, columns } = set
  const { turns } = planQuestions(threads)
  const questions = {
    *[Symbol.iterator]() {
      for (const { question } of turns) yield question
    },
  }
  const notes: string[] = []
  try {
    writeWhole(
      target,
      writeOwnForm({ threads, questions, columns }, (message) => notes.push(message)),
    )
  } catch (error) {
    throw new UsageError(
      `--write ${target}: cannot be written (${error instanceof Error ? error.message : 'unknown'})`,
    )
  } finally {
    set.close()
  }
  for (const note of notes) say(`Note: ${visible(note)}`)
  say(`Written: ${visible(target)}`)
}
