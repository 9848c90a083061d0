// A file on disk that can be read twice: once to learn what it is, once to read its rows.
import { open, stat, type FileHandle } from 'node:fs/promises'
import { describeError, FOLDER } from './read-error.ts'

const CHUNK_BYTES = 262_144

export interface Source {
  /** The bytes from `start` on. A chunk is only good until the next is asked for. */
  readonly chunks: (start?: number) => AsyncGenerator<Buffer>
  /** Whether the file was written to since it was opened. */
  readonly isChanged: () => Promise<boolean>
  readonly close: () => Promise<void>
}

export type Opening =
  { readonly kind: 'open'; readonly source: Source } | { readonly kind: 'refused'; readonly message: string }

/** Opens a regular file; what cannot be opened, and what is no file, is refused with its mend. */
export async function openSource(path: string): Promise<Opening> {
  try {
    // Asked of the path first: opening a named pipe would wait for its writer.
    const there = await stat(path)
    if (there.isDirectory()) return refuse(FOLDER)
    if (!there.isFile())
      return refuse('this is no regular file, and a set is read twice; save it to a file first')
    const handle = await open(path, 'r')
    const { size, mtimeMs } = await handle.stat()
    return { kind: 'open', source: sourceOf(handle, size, mtimeMs) }
  } catch (error) {
    return refuse(describeError(error))
  }
}

function sourceOf(handle: FileHandle, size: number, modified: number): Source {
  return {
    chunks: async function* (start = 0) {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
      let position = start
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position)
        if (bytesRead === 0) return
        position += bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    },
    isChanged: async () => {
      const now = await handle.stat()
      return now.size !== size || now.mtimeMs !== modified
    },
    close: async () => handle.close(),
  }
}

const refuse = (message: string): Opening => ({ kind: 'refused', message })
