// Text that is made before its file can be begun: kept on the disk beside it until then, however much it is.
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { StorageError } from '../domain/storage-error.ts'
import { removeStaleTemporaries, temporaryOf } from './stale-temporaries.ts'

export interface Spool {
  /** Throws StorageError where the disk does not take it. */
  readonly add: (text: string) => void
  /** All that was added, in pieces of its own; can be asked for again. */
  readonly pieces: () => Iterable<string>
  /** Takes it away; nothing can be added or read after. */
  readonly remove: () => void
}

const PIECE = 2 ** 16

/** `path`: the file that the text is for. */
export function openSpool(path: string): Spool {
  const name = `${path}.spool`
  removeStaleTemporaries(name)
  const temporary = temporaryOf(name, process.pid)
  const file = guard(() => openSync(temporary, 'w+'))
  let length = 0

  const readPieces = function* (): Generator<string> {
    const decoder = new StringDecoder('utf8')
    const bytes = Buffer.alloc(PIECE)
    for (let at = 0; at < length;) {
      const read = guard(() => readSync(file, bytes, 0, Math.min(PIECE, length - at), at))
      if (read === 0) throw new StorageError(new Error(`${temporary} was cut short`))
      at += read
      yield decoder.write(bytes.subarray(0, read))
    }
    yield decoder.end()
  }

  return {
    add: (text) => {
      const bytes = Buffer.from(text)
      for (let written = 0; written < bytes.length;)
        written += guard(() => writeSync(file, bytes, written, bytes.length - written, length + written))
      length += bytes.length
    },
    pieces: readPieces,
    remove: () => {
      closeSync(file)
      rmSync(temporary, { force: true })
    },
  }
}

function guard<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new StorageError(error)
  }
}
