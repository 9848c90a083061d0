// What a page is told when something was not done.
import * as z from 'zod'
import { StorageError } from '../domain/storage-error.ts'
import { UsageError } from '../library/index.ts'
import type { Refusal, SetFault } from './api.ts'

/** A set that was not saved, with its faults. */
export class FaultySet extends Error {
  readonly faults: readonly SetFault[]
  constructor(faults: readonly SetFault[]) {
    super('The set is not saved: it has faults.')
    this.faults = faults
  }
}

/** What a page may know of an error: its own faults, the disk's, or that it is ours. */
export function refusalOf(error: unknown): Refusal & { readonly status: 400 | 500 | 507 } {
  if (error instanceof UsageError) return { status: 400, error: error.message, faults: [] }
  if (error instanceof FaultySet) return { status: 400, error: error.message, faults: error.faults }
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return { status: 400, error: 'The request is not what this address takes.', faults: [] }
  if (error instanceof StorageError || isOfDisk(error))
    return { status: 507, error: `The disk did not take it: ${error.message}`, faults: [] }
  return { status: 500, error: 'A fault of the workbench; its terminal says more.', faults: [] }
}

const isOfDisk = (error: unknown): error is Error => error instanceof Error && 'syscall' in error
