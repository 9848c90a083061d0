// Files that the disk did not take: why, in a few words, and what mends it.
import { storageAilment, type StorageError } from '../domain/storage-error.ts'
import { visible } from '../report/visible.ts'
import type { RunFolder } from './run-folder.ts'
import { shellWord } from './shell-word.ts'

/** Why, for the sentence of a verdict: the file's name stands elsewhere. */
export function whyUnwritten({ code, message }: StorageError): string {
  switch (storageAilment(code)) {
    case 'full':
      return `the disk is full, ${code}`
    case 'forbidden':
      return `${code === 'EROFS' ? 'the disk is read-only' : 'permission denied'}, ${code}`
    case undefined:
      return message
  }
}

/** What mends it, as an imperative that goes on with `, or name another folder`. */
export function mendUnwritten({ code }: StorageError): string {
  switch (storageAilment(code)) {
    case 'full':
      return 'make room'
    case 'forbidden':
      return 'make the folder writable'
    case undefined:
      return 'mend that'
  }
}

/** Of the reports of a recorded run, load test or search. */
export function describeUnwritten(error: StorageError, { path }: RunFolder): string {
  const again = (where: string): string => `npx assist-harness report ${where}`
  const what = `The reports could not be written (${visible(error.message)}); what was recorded is as it was.`
  switch (storageAilment(error.code)) {
    case 'full':
      return `${what} With room again: ${again(shellWord(path))}`
    case 'forbidden':
      return `${what} Make ${visible(path)} writable, or copy it and report the copy: ${again(shellWord(path))}`
    case undefined:
      return `${what} Once that is mended: ${again(shellWord(path))}`
  }
}
