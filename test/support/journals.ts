// The journals of a run, read as one. Each resume writes another journal.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { journalsOf } from '../../src/journal/read.ts'
import { runFolder } from '../../src/store/folder.ts'

/** Ends a torn line, and with it a journal, where journals are read as one. */
export const TORN_MARK = ' torn\n'

export function readJournals(folder: string): string {
  const texts = journalsOf(runFolder(folder).journal).map((path) => readFileSync(path, 'utf8'))
  return texts
    .map((text, place) =>
      text === '' || text.endsWith('\n') || place === texts.length - 1 ? text : text + TORN_MARK,
    )
    .join('')
}

export const sizeOfJournals = (folder: string): number =>
  existsSync(folder)
    ? journalsOf(runFolder(folder).journal).reduce((sum, path) => sum + statSync(path).size, 0)
    : 0
