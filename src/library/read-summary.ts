// The one reader of a recorded `summary.json`, whichever version wrote it.
import * as z from 'zod'
import { messageOf } from '../options/faults.ts'
import { readJson } from '../store/files.ts'
import type { RunFolder } from '../store/folder.ts'

/** Reads what `schema` names of it, or says why that cannot be read. */
export function readSummary<S extends z.ZodType>(
  { summary: path }: RunFolder,
  schema: S,
):
  | { readonly summary: z.infer<S>; readonly fault?: undefined }
  | { readonly summary?: undefined; readonly fault: string } {
  try {
    return { summary: schema.parse(readJson(path)) }
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : []
    return { fault: issue === undefined ? messageOf(error) : `${issue.path.join('.')}: ${issue.message}` }
  }
}
