// A message: what a user must know or act on, as a code and values for programs, and as a text for people.
import * as z from 'zod'

/** The text may quote names and sentences from elsewhere, so renderers treat the whole text as untrusted. */
export const messageSchema = z.object({
  code: z.string(),
  values: z.record(z.string(), z.unknown()),
  text: z.string(),
})
export type Message = z.infer<typeof messageSchema>

/**
 * Makes a message. Each sentence stands once, in a function beside the area that it speaks of. Its form does
 * not depend on its values: "failed: 3 of 48" needs no singular.
 */
export const makeMessage = (code: string, text: string, values: object = {}): Message => ({
  code,
  values: { ...values },
  text,
})

/** A sentence that was written before, such as a warning of the manifest. */
export const noted = (text: string): Message => makeMessage('noted', text, { text })
