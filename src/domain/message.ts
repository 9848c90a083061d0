// A message: what a user must know or act on, as a code for programs, and as a text for people.
import * as z from 'zod'

/** The text may quote names and sentences from elsewhere, so renderers treat it all as untrusted. */
export const messageSchema = z.object({
  code: z.string(),
  text: z.string(),
})
export type Message = z.infer<typeof messageSchema>

/** A sentence has a form that suits every count: "failed: 3 of 48" needs no singular. */
export const makeMessage = (code: string, text: string): Message => ({ code, text })
