// The journals of a run, as one: a resume writes one more.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { journalsOf } from '../../src/journal/read.ts'
import { runFolder } from '../../src/library/run-folder.ts'

/** All of them one after the other; a line that a dead process left torn is marked so, as the next session of 0.1 did. */
export function readJournals(folder: string): string {
  const texts = journalsOf(runFolder(folder).journal).map((path) => readFileSync(path, 'utf8'))
  return texts
    .map((text, place) =>
      text === '' || text.endsWith('\n') || place === texts.length - 1 ? text : `${text} torn\n`,
    )
    .join('')
}

/** Bytes. */
export const sizeOfJournals = (folder: string): number =>
  existsSync(folder)
    ? journalsOf(runFolder(folder).journal).reduce((sum, path) => sum + statSync(path).size, 0)
    : 0
