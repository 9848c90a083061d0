// What the pages of the workbench send, by address. Each is checked: it may come from anywhere that has the
// cookie. Paths are relative to the folder, with `/`.
import * as z from 'zod'
import { RATINGS } from '../domain/review.ts'

const text = z.string().max(100_000)
const texts = z.array(text).readonly()
const run = z.object({ run: text })

export const REQUESTS = {
  /** Without a rating and a note, the review is taken back. */
  '/api/review': z.object({
    run: text,
    id: text,
    message: text,
    answer: text,
    review: z.enum(RATINGS).nullable(),
    note: text,
    reviewer: text,
  }),
  '/api/compare': z.object({ baseline: text, candidate: text }),
  '/api/report': run,
  '/api/start': z.object({
    set: text,
    /** Each is written like `--column`: `message=Description`. */
    columns: texts,
    target: text,
    /** Null: no budget; only for the sandbox. */
    maxCalls: z.int().positive().nullable(),
    baseline: text.nullable(),
  }),
  '/api/stop': run,
  '/api/resume': z.object({
    run: text,
    /** Of the whole run; null: as it was. */
    maxCalls: z.int().positive().nullable(),
  }),
  /**
   * Sends these questions with those before them in their conversations, in a run of its own that is compared
   * with `run`.
   */
  '/api/again': z.object({ run: text, ids: z.array(text).min(1).readonly(), target: text }),
  /** One question. `conversation`: of an earlier `Asked`; null starts one. */
  '/api/ask': z.object({ target: text, conversation: text.nullable(), message: text }),
  /**
   * Saved only if it is valid, as CSV; the old file stays beside it. Faults are in the `Refusal`, each with
   * the row of this table.
   */
  '/api/set': z.object({
    path: text,
    columns: texts,
    rows: z.array(texts).readonly(),
    /** Of the view that was edited: nothing is written if the file is another by now. */
    digest: text.nullable(),
  }),
  /**
   * Appends a question, or sets cells of the question with that id or message; a set that is not there is
   * made. `cells`: by column, `message`, `expect_contains`, …
   */
  '/api/set/add': z.object({ path: text, cells: z.record(z.string(), text) }),
}

export type Requests = { readonly [Path in keyof typeof REQUESTS]: z.infer<(typeof REQUESTS)[Path]> }
