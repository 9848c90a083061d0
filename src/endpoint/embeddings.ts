// The client of an embeddings endpoint in OpenAI's form. Its time and failures are no figures of the desk.
import * as z from 'zod'
import type { Clock } from '../domain/clock.ts'
import { digits } from '../domain/format.ts'
import { ADDRESS_TIMEOUT_MS, describeFailure, loadAgents } from './undici.ts'
import { basicOf, chooseProxy } from './proxy.ts'

export interface EmbeddingsEndpoint {
  readonly url: string
  readonly model: string
  readonly key: string | undefined
  readonly ports: {
    readonly clock: Clock
    readonly timerClock: Clock
    readonly env: Readonly<Record<string, string | undefined>>
  }
  readonly timeoutMs?: number
}

/** Says why there are no vectors, in one line; never with the key. */
export class EmbeddingsError extends Error {
  override readonly name = 'EmbeddingsError'
  readonly isTemporary: boolean
  readonly waitMs: number | undefined

  constructor({ url }: EmbeddingsEndpoint, what: string, isTemporary = false, waitMs?: number) {
    super(`${url} ${what}`)
    this.isTemporary = isTemporary
    this.waitMs = waitMs
  }
}

/** Are what servers accept: so many texts in a call, about so many characters of one. */
const [BATCH, MAX_TEXT] = [32, 2000]
const MAX_ATTEMPTS = 3
/** Limits the wait that a server may name: with a longer one it is lost for this report. */
const MAX_WAIT_MS = 60_000
const TIMEOUT_MS = 60_000
const BUDGET_MS = 10 * 60_000
/** Limits an answer: 32 vectors of 4,096 numbers are 3 MB. */
const MAX_BYTES = 32_000_000

/** Gives the vectors by batch, a number a byte, as they are kept. Throws EmbeddingsError. */
export async function* embed(texts: readonly string[], endpoint: EmbeddingsEndpoint) {
  const { clock, timerClock } = endpoint.ports
  const deadline = clock.now() + BUDGET_MS
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH)
    for (let attempt = 1; ; attempt += 1)
      try {
        yield { batch, vectors: await post(batch, endpoint, deadline - clock.now()) }
        break
      } catch (error) {
        if (!(error instanceof EmbeddingsError) || !error.isTemporary || attempt === MAX_ATTEMPTS) throw error
        const waitMs = error.waitMs ?? 1000 * attempt
        if (waitMs > Math.min(MAX_WAIT_MS, deadline - clock.now())) throw error
        await new Promise<void>((resume) => {
          timerClock.after(waitMs, resume)
        })
      }
  }
}

/** Follows no redirect: texts and key are for this address alone. */
async function post(texts: readonly string[], endpoint: EmbeddingsEndpoint, leftMs: number) {
  const { url, model, key, ports, timeoutMs = TIMEOUT_MS } = endpoint
  const lost = (what: string, isTemporary = false, waitMs?: number): EmbeddingsError =>
    new EmbeddingsError(endpoint, what, isTemporary, waitMs)
  if (leftMs <= 0) throw lost(`took longer than ${digits(BUDGET_MS / 60_000)} minutes`)
  const chosen = chooseProxy(new URL(url).origin, ports.env)
  if (chosen.kind === 'rejected') throw lost(`cannot be reached: ${chosen.reason}`, true)
  const proxy = chosen.kind === 'proxy' ? chosen.proxy : undefined
  const token = proxy?.login && { token: `Basic ${basicOf(proxy.login)}` }
  const connect = { autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS }
  const { Agent, ProxyAgent } = loadAgents()
  const dispatcher =
    proxy === undefined ? new Agent({ connect }) : new ProxyAgent({ uri: proxy.origin, ...token })
  const { origin, pathname, search } = new URL(`${url}/embeddings`)
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input: texts.map((text) => text.slice(0, MAX_TEXT).toWellFormed()) }),
      signal: AbortSignal.timeout(Math.min(leftMs, timeoutMs)),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BYTES) break
      chunks.push(chunk)
    }
    if (statusCode === 200) return readVectors(Buffer.concat(chunks).toString('utf8'), texts, lost)
    if (statusCode === 401 || statusCode === 403)
      throw lost(`rejects the key (${statusCode}); set ASSIST_EMBEDDINGS_KEY`)
    if (statusCode === 404) throw lost(`has no such address or model (404): ${model}`)
    const retryAfter = String(headers['retry-after'] ?? '')
    const isSeconds = /^\d+$/.test(retryAfter)
    const waitMs = isSeconds ? 1000 * Number(retryAfter) : Date.parse(retryAfter) - ports.clock.wall()
    const isTemporary = statusCode === 429 || statusCode >= 500
    throw lost(`answers ${statusCode}`, isTemporary, Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs))
  } catch (error) {
    if (error instanceof EmbeddingsError || !(error instanceof Error)) throw error
    if (error.name === 'TimeoutError') throw lost('gave no answer in time', true)
    const through = proxy === undefined ? '' : ` through the proxy ${proxy.origin}`
    throw lost(`cannot be reached${through}: ${describeFailure(error)}`, true)
  } finally {
    await dispatcher.destroy()
  }
}

const replySchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) })),
})

function readVectors(
  text: string,
  texts: readonly string[],
  lost: (what: string) => EmbeddingsError,
): Int8Array[] {
  const { data } = (() => {
    try {
      return replySchema.parse(JSON.parse(text))
    } catch {
      throw lost('gives no vectors in the form of OpenAI')
    }
  })()
  const ordered = texts.flatMap((_, at) => data.find(({ index }) => index === at) ?? data[at] ?? [])
  if (data.length !== texts.length || ordered.length !== texts.length)
    throw lost(`gives ${digits(data.length)} vectors for ${digits(texts.length)} texts`)
  return ordered.map(({ embedding }) => {
    const max = Math.max(...embedding.map(Math.abs))
    if (max === 0) throw lost('gives an empty vector')
    return Int8Array.from(embedding, (value) => Math.round((127 * value) / max))
  })
}
