// The contract as an OpenAPI 3.1 document, made from the schemas that check the requests.
import * as z from 'zod'
import { ASSIST_PATH, ASSIST_SCOPE, assistReplySchema, assistRequestSchema, errorSchema } from './contract.ts'

/** `url`: where this sandbox listens. */
export function openApi(url: string, maxMessageLength: number): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assist API of the service desk platform',
      version: 'v1',
      description:
        'What the published contract says. Values that it does not show (error codes, contextSource of a model-only reply, length limits) are those of this sandbox.',
    },
    servers: [{ url }],
    security: [{ organizationKey: [] }],
    paths: {
      [ASSIST_PATH]: {
        post: {
          operationId: 'assist',
          summary: 'Ask the assistant',
          description: `The key needs the scope ${ASSIST_SCOPE}. Each call is recorded in the usage ledger.`,
          requestBody: { required: true, content: json('AssistRequest') },
          responses: {
            200: { description: 'The answer.', content: json('AssistReply') },
            ...Object.fromEntries(
              Object.entries(ERRORS).map(([status, description]) => [
                status,
                { description, content: json('Error'), ...(status === '429' && { headers: RETRY_AFTER }) },
              ]),
            ),
          },
        },
      },
    },
    components: {
      securitySchemes: { organizationKey: { type: 'http', scheme: 'bearer' } },
      schemas: {
        AssistRequest: jsonSchema(assistRequestSchema(maxMessageLength)),
        AssistReply: jsonSchema(assistReplySchema),
        Error: jsonSchema(errorSchema),
      },
    },
  }
}

const ERRORS = {
  400: 'Validation failed; details lists the problem of each faulty field.',
  401: 'Missing or invalid API key.',
  403: 'The key lacks the scope.',
  404: 'There is no such object for the organization.',
  405: 'The path has no such method.',
  413: 'The body is too large.',
  415: 'The body is not application/json in UTF-8.',
  429: 'Rate limit reached, or quota spent; retry later.',
  '5XX': 'Failure on the side of the service.',
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Where the limit is told.', schema: { type: 'string' } },
}

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })

function jsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}
