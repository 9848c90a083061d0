// The contract as schemas: they check every request and make the OpenAPI document.
import * as z from 'zod'

export const ASSIST_PATH = '/api/v1/assist'
export const ASSIST_SCOPE = 'ai_assist.use'
export const SUCCESS_STATUS = 'success'
export const KNOWLEDGE_BASE_SOURCE = 'KNOWLEDGE_BASE'

/** Contract, section 2.1. Fields it does not name are ignored: the platform API grows over time. */
export function assistRequestSchema(maxMessageLength: number) {
  return z.object({
    message: z
      .string()
      .min(1, 'must not be empty')
      .max(maxMessageLength, `must not be longer than ${maxMessageLength} characters`)
      .regex(/\S/, 'must not be blank')
      .meta({ description: 'The question, in natural language.' }),
    conversationId: z.string().nullable().optional().meta({
      description:
        'Id of an earlier conversation to continue. Omitted or null starts a new one; so does an id that is not of this organization.',
    }),
    endUserRef: z.string().optional().meta({
      description: "The caller's own opaque reference for the end user asking; groups conversations.",
    }),
  })
}
export type AssistRequestBody = z.output<ReturnType<typeof assistRequestSchema>>

/** Contract, section 2.2. */
export const assistReplySchema = z.object({
  conversationId: z.string().meta({ description: 'Send it back on the next turn to keep context.' }),
  message: z.string().meta({ description: "The assistant's answer." }),
  status: z.string().meta({ description: 'Outcome indicator.', examples: [SUCCESS_STATUS] }),
  contextSource: z.string().meta({
    description: 'What grounded the answer.',
    examples: [KNOWLEDGE_BASE_SOURCE],
  }),
})
export type AssistReplyBody = z.output<typeof assistReplySchema>

export const errorDetailSchema = z.object({
  field: z.string().meta({ description: 'Name of the faulty field; empty for the body as a whole.' }),
  message: z.string().meta({ description: 'What is wrong with it.' }),
})
export type ErrorDetail = z.output<typeof errorDetailSchema>

/** Contract, section 7. */
export const errorSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.string().meta({ description: 'Machine-readable error code.' }),
    message: z.string().meta({ description: 'Human-readable explanation.' }),
    details: z.array(errorDetailSchema).meta({ description: 'One entry for each faulty field.' }),
  }),
})
export type ErrorBody = z.output<typeof errorSchema>
