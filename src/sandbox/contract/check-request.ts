// From the bytes of a request to a checked body, or to the refusal that says what is wrong with it.
import type { z } from 'zod'
import type { Refusal } from './refusal.ts'
import type { AssistRequestBody, ErrorDetail, assistRequestSchema } from './schemas.ts'

export type CheckedRequest =
  | { readonly kind: 'good'; readonly body: AssistRequestBody }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Refuses what is not JSON in UTF-8 by its headers, before anyone looks at the body. */
export function checkMediaType(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): Refusal | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((one) => /^\s*charset="?([^"]*)"?\s*$/.exec(one)?.[1]).find(Boolean)
  if (type.trim() !== 'application/json' || (charset !== undefined && charset !== 'utf-8')) {
    return { cause: 'unsupported_media_type', message: 'The body must be application/json in UTF-8.' }
  }
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    return { cause: 'unsupported_media_type', message: 'The body must not be compressed.' }
  }
  return undefined
}

export function checkBody(bytes: Uint8Array, schema: ReturnType<typeof assistRequestSchema>): CheckedRequest {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refuse([{ field: '', message: 'must be one JSON object in UTF-8' }])
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? { kind: 'good', body: parsed.data } : refuse(listDetails(parsed.error, value))
}

function refuse(details: readonly ErrorDetail[]): CheckedRequest {
  const fields = details.map((one) => one.field || 'body').join(', ')
  return {
    kind: 'refused',
    refusal: { cause: 'invalid', message: `The request is faulty: ${fields}.`, details },
  }
}

/** One entry for each faulty field, however many rules it breaks: the first says enough to mend it. */
function listDetails(error: z.ZodError, value: unknown): ErrorDetail[] {
  const byField = new Map<string, ErrorDetail>()
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? '')
    if (!byField.has(field)) byField.set(field, { field, message: describe(issue, field, value) })
  }
  return [...byField.values()]
}

function describe(issue: z.core.$ZodIssue, field: string, value: unknown): string {
  if (issue.code !== 'invalid_type') return issue.message
  if (field === '') return 'must be a JSON object'
  const isMissing = !Object.hasOwn(value as object, field)
  return isMissing
    ? 'is required'
    : `must be a ${issue.expected}${field === 'conversationId' ? ' or null' : ''}`
}
