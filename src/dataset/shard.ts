// Which part of a run a thread belongs to, told by the thread alone.
import { createHash } from 'node:crypto'

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The part of `of`, from 1, of the thread whose first question has this id. An id stays when rows, threads or files come
 * and go, which names of files and places do not; so whatever is added moves no other thread.
 */
export const shardOf = (firstId: string, of: number): number => (digestOf(firstId).readUInt32LE() % of) + 1

export interface IdsDigest {
  add(id: string): void
  /** The same whatever the order of the ids: parts can be added up in any. */
  finish(): string
}

/**
 * The exclusive or of the first 128 bits of the ids' SHA-256: ids stand once in a run, so that none cancels another. It tells
 * what is missing by accident, not what somebody forges. Whole questions hold their ids, and their lines tell their order.
 */
export function createIdsDigest(): IdsDigest {
  const sum = new Uint32Array(4)
  return {
    add: (id) => {
      const digest = digestOf(id)
      for (const word of sum.keys()) sum[word] = (sum[word] ?? 0) ^ digest.readUInt32LE(4 * word)
    },
    finish: () => Array.from(sum, (word) => word.toString(16).padStart(8, '0')).join(''),
  }
}
