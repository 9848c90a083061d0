// A conversation: whose it is, and its turns so far.
import * as z from 'zod'

const turnSchema = z.object({
  at: z.number(),
  message: z.string(),
  answer: z.string(),
  contextSource: z.string(),
  /** Slug of the article that grounded the answer, and the heading of the section; null for model-only. */
  article: z.string().nullable(),
  section: z.string().nullable(),
  /** Of model-only: slug of the article that came nearest; null where none shares a word with the question. */
  nearest: z.string().nullable(),
})
export const conversationSchema = z.object({
  id: z.string(),
  organization: z.string(),
  /** Of the turn that opened it: groups an end user's conversations. */
  endUserRef: z.string().nullable(),
  openedAt: z.number(),
  turns: z.array(turnSchema),
})
export type Conversation = z.output<typeof conversationSchema>
