// A client of the endpoint of a test, and a way to wait for the report of a call.
import { onTestFinished } from 'vitest'
import type { AssistRequest, AttemptReport } from '../../src/domain/attempt.ts'
import { createSecret } from '../../src/domain/secret.ts'
import { createClient } from '../../src/endpoint/client.ts'

type ClientOptions = Parameters<typeof createClient>[0]

/** Is closed after the test. */
export function openClient(origin: string, more: Partial<ClientOptions> = {}) {
  const key = createSecret('sk-client/0123456789', 'abcd1234')
  const client = createClient({
    origin,
    assistPath: '/api/v1/assist',
    key,
    headers: {},
    certificate: undefined,
    proxy: undefined,
    mask: key,
    timeoutMs: 5000,
    userAgent: 'test',
    abandon: new AbortController().signal,
    now: () => performance.now(),
    ...more,
  })
  onTestFinished(client.close)
  const ask = async (request: AssistRequest, beforeSend?: () => void): Promise<AttemptReport> =>
    new Promise((ended, failed) => {
      client.send(request, { ended, failed, ...(beforeSend && { beforeSend }) })
    })
  return { ...client, ask }
}
