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
  /** The `article` with this id answers the question; null: none does; absent: takes a decision back. */
  '/api/decide': z.object({
    run: text,
    id: text,
    message: text,
    article: text.nullable().optional(),
    reviewer: text,
  }),
  /** Names a run in lists; an empty name gives back that of its folder. */
  '/api/name': z.object({ run: text, name: text }),
  '/api/compare': z.object({ baseline: text, candidate: text }),
  '/api/report': run,
  '/api/start': z.object({
    set: text,
    /** Each is written like `--column`: `message=Description`. */
    columns: texts,
    target: text,
    /** Only a run on the sandbox may have none. */
    maxCalls: z.int().positive().nullable(),
    baseline: text.nullable(),
  }),
  '/api/stop': run,
  '/api/resume': z.object({
    run: text,
    /** It holds for the whole run; null leaves it as it was. */
    maxCalls: z.int().positive().nullable(),
  }),
  /**
   * Sends these questions with those before them in their conversations, in a run of its own that is compared
   * with `run`.
   */
  '/api/again': z.object({ run: text, ids: z.array(text).min(1).readonly(), target: text }),
  /** `conversation` is that of an earlier `Asked`; null starts one. */
  '/api/ask': z.object({ target: text, conversation: text.nullable(), message: text }),
  /**
   * Saved only if it is valid, as CSV; the old file stays beside it. Faults are in the `Refusal`, each with
   * the row of this table.
   */
  '/api/set': z.object({
    path: text,
    columns: texts,
    rows: z.array(texts).readonly(),
    /** Nothing is written if the file is no longer the one of this view. */
    digest: text.nullable(),
  }),
  /**
   * Appends a question, or sets cells of the question with that id or message, by column; makes the set if it
   * is not there.
   */
  '/api/set/add': z.object({ path: text, columns: texts, cells: z.record(z.string(), text) }),
  /** Takes a change of a set back, if it was the last one. */
  '/api/set/undo': z.object({ path: text, digest: text, isNew: z.boolean() }),
}

export type Requests = { readonly [Path in keyof typeof REQUESTS]: z.infer<(typeof REQUESTS)[Path]> }
