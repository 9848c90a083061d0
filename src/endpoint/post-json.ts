// One request of JSON to a service beside the desk, through the proxy that the environment names. Its time
// and its failures are no figures, so none of the client's machinery is needed.
import { Agent, ProxyAgent, request } from 'undici'
import { describeFailure } from './failure.ts'
import { basicOf, chooseProxy } from './proxy.ts'

export type JsonAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly retryAfter: string | undefined
      /** Undefined where it is longer than `maxBytes`. */
      readonly text: string | undefined
    }
  /** `reason`: as a part of a sentence, such as "cannot be reached". */
  | { readonly kind: 'lost'; readonly reason: string }

export interface JsonRequest {
  readonly url: string
  readonly key: string | undefined
  /** Names the proxy, as for the desk. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** Follows no redirect: texts and key are for this address alone. */
export async function postJson(
  body: unknown,
  { url, key, env, timeoutMs, maxBytes }: JsonRequest,
): Promise<JsonAnswer> {
  const chosen = chooseProxy(new URL(url).origin, env)
  if (chosen.kind === 'rejected') return { kind: 'lost', reason: `cannot be reached: ${chosen.reason}` }
  const proxy = chosen.kind === 'proxy' ? chosen.proxy : undefined
  const dispatcher =
    proxy === undefined
      ? new Agent()
      : new ProxyAgent({
          uri: proxy.origin,
          ...(proxy.login === undefined ? {} : { token: `Basic ${basicOf(proxy.login)}` }),
        })
  try {
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) break
      chunks.push(chunk)
    }
    const retryAfter = answer.headers['retry-after']
    return {
      kind: 'answered',
      status: answer.statusCode,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      text: size > maxBytes ? undefined : Buffer.concat(chunks).toString('utf8'),
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name === 'TimeoutError') return { kind: 'lost', reason: 'gave no answer in time' }
    const through = proxy === undefined ? '' : ` through the proxy ${proxy.origin}`
    return { kind: 'lost', reason: `cannot be reached${through}: ${describeFailure(error)}` }
  } finally {
    await dispatcher.destroy()
  }
}
