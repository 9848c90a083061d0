// Which part of a run a thread belongs to, told by the thread alone.
import { createHash } from 'node:crypto'

/**
 * The part of `of`, from 1, of the thread whose first question has this id. An id stays when rows, threads or files come
 * and go, which names of files and places do not; so whatever is added moves no other thread.
 */
export const shardOf = (firstId: string, of: number): number =>
  (createHash('sha256').update(firstId).digest().readUInt32LE() % of) + 1
