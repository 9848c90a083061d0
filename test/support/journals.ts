// The journals of a run, read as one. Each resume writes another journal.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { journalsOf } from '../../src/journal/read.ts'
import { runFolder } from '../../src/store/folder.ts'

/**
 * All journals in order. A torn line that a killed process left is marked, as the next session of 0.1 did.
 */
export function readJournals(folder: string): string {
  const texts = journalsOf(runFolder(folder).journal).map((path) => readFileSync(path, 'utf8'))
  return texts
    .map((text, place) =>
      text === '' || text.endsWith('\n') || place === texts.length - 1 ? text : `${text} torn\n`,
    )
    .join('')
}

/** In bytes. */
export const sizeOfJournals = (folder: string): number =>
  existsSync(folder)
    ? journalsOf(runFolder(folder).journal).reduce((sum, path) => sum + statSync(path).size, 0)
    : 0
