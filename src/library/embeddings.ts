// `--embeddings`: vectors of questions, titles and headings from an endpoint in OpenAI's form. Each text is
// sent once: its vector is kept by its digest in a file beside the runs. No other text is sent.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import * as z from 'zod'
import { unit, type Vectors } from '../articles/vectors.ts'
import { digits } from '../domain/format.ts'
import { StorageError } from '../domain/storage-error.ts'
import { checkUrl } from '../endpoint/address.ts'
import type { JsonAnswer } from '../endpoint/post-json.ts'
import { optionError } from '../options/faults.ts'
import type { RunSettings } from '../options/settings.ts'
import { appendWhole } from '../store/files.ts'
import type { Ports } from './ports.ts'

const EMBEDDINGS_KEY = 'ASSIST_EMBEDDINGS_KEY'
export const VECTORS_FILE = 'embeddings.jsonl'

/** Servers accept at least so many texts in a call, and models read about as many characters of one. */
const [BATCH, MAX_TEXT] = [32, 2000]
const MAX_ATTEMPTS = 3
/** A server that names a longer wait is lost for this report. */
const MAX_WAIT_MS = 60_000
const TIMEOUT_MS = 60_000
/** All calls of a report share it. */
const BUDGET_MS = 10 * 60_000
/** 32 vectors of 4,096 numbers are 3 MB. */
const MAX_BYTES = 32_000_000

export interface EmbeddingsEndpoint {
  readonly url: string
  readonly model: string
  readonly key: string | undefined
  readonly ports: Ports
  readonly cache: string
  readonly timeoutMs?: number
}

/** Says why there are no vectors, in one line; never with the key. */
class EmbeddingsError extends Error {
  override readonly name = 'EmbeddingsError'
}

type EmbeddingOptions = {
  [Name in 'embeddings' | 'embeddingsModel' | 'allowHttp']?: RunSettings[Name] | null | undefined
}

/** Throws UsageError for an address that texts and a key must not go to; undefined without `--embeddings`. */
export function readEmbeddings(
  { embeddings, embeddingsModel, allowHttp }: EmbeddingOptions,
  cache: string,
  ports: Ports,
  note: (text: string) => void = () => undefined,
): EmbeddingsEndpoint | undefined {
  if (embeddings === undefined || embeddings === null) return undefined
  const checked = checkUrl(embeddings, allowHttp === true, EMBEDDINGS_KEY)
  if (typeof checked === 'string') throw optionError('embeddings', checked)
  if (embeddingsModel === undefined || embeddingsModel === null)
    throw optionError('embeddings', 'needs --embeddings-model NAME')
  const key = ports.env[EMBEDDINGS_KEY]?.trim() || undefined
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw optionError(
      'embeddings',
      `cannot use the key in ${EMBEDDINGS_KEY}: it has white space or other signs`,
    )
  if (key !== undefined) ports.secrets.keep(key)
  const url = checked.href.replace(/\/+$/, '')
  note(
    `Questions, titles and headings go to ${url} (${embeddingsModel}) for their vectors, each text once; ` +
      'nothing else does',
  )
  return { url, model: embeddingsModel, key, ports, cache }
}

/** A lost endpoint costs the vectors alone. */
export async function tryVectors(
  endpoint: EmbeddingsEndpoint | undefined,
  texts: readonly string[],
  tell: (text: string) => void,
): Promise<Vectors | undefined> {
  try {
    return endpoint && (await vectorsOf(texts, endpoint))
  } catch (error) {
    if (!(error instanceof EmbeddingsError || error instanceof StorageError)) throw error
    tell(`Causes of gaps are found without vectors: ${error.message}`)
    return undefined
  }
}

/**
 * Vectors have length 1. Throws EmbeddingsError where the endpoint does not give all of them; those that it
 * gave are kept for the next time.
 */
export async function vectorsOf(texts: Iterable<string>, endpoint: EmbeddingsEndpoint): Promise<Vectors> {
  const digestOf = (text: string): string =>
    createHash('sha256')
      .update(JSON.stringify([endpoint.url, endpoint.model, text]))
      .digest('hex')
  const digests = new Map([...texts].map((text) => [text, digestOf(text)]))
  const known = readCache(endpoint.cache)
  const missing = [...digests.keys()].filter((text) => !known.has(digests.get(text) ?? ''))
  const deadline = endpoint.ports.clock.now() + BUDGET_MS
  for (let from = 0; from < missing.length; from += BATCH) {
    const batch = missing.slice(from, from + BATCH)
    const lines = (await embed(batch, endpoint, deadline)).map((vector, index) => {
      const digest = digests.get(batch[index] ?? '') ?? ''
      const size = known.values().next().value?.length ?? vector.length
      if (vector.length !== size) {
        const sizes = `${digits(vector.length)} and of ${digits(size)} numbers`
        throw lost(endpoint, `gives vectors of ${sizes}; delete ${endpoint.cache}`)
      }
      known.set(digest, vector)
      return `${JSON.stringify({ digest, int8: Buffer.from(vector.buffer).toString('base64') })}\n`
    })
    appendWhole(endpoint.cache, lines.join(''))
  }
  return new Map(
    [...digests].map(([text, digest]) => [text, unit(Float32Array.from(known.get(digest) ?? []))]),
  )
}

const cacheLine = z.object({ digest: z.string(), int8: z.base64() })

/** A line that was cut off by a kill is asked for again. */
function readCache(cache: string): Map<string, Int8Array> {
  const known = new Map<string, Int8Array>()
  if (!existsSync(cache)) return known
  for (const line of readFileSync(cache, 'utf8').split('\n')) {
    const parsed = cacheLine.safeParse(parseJson(line))
    if (parsed.success) known.set(parsed.data.digest, new Int8Array(Buffer.from(parsed.data.int8, 'base64')))
  }
  return known
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const lost = ({ url }: EmbeddingsEndpoint, what: string): EmbeddingsError =>
  new EmbeddingsError(`${url} ${what}`)

const replySchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) })),
})

async function embed(texts: readonly string[], endpoint: EmbeddingsEndpoint, deadline: number) {
  // Loaded late: most reports need no connection.
  const { postJson } = await import('../endpoint/post-json.ts')
  const { url, model, ports } = endpoint
  const { clock, timerClock } = ports
  for (let attempt = 1; ; attempt += 1) {
    const left = deadline - clock.now()
    if (left <= 0) throw lost(endpoint, `took longer than ${digits(BUDGET_MS / 60_000)} minutes`)
    const answer = await postJson(
      { model, input: texts.map((text) => text.slice(0, MAX_TEXT)) },
      {
        ...endpoint,
        env: ports.env,
        url: `${url}/embeddings`,
        timeoutMs: Math.min(left, endpoint.timeoutMs ?? TIMEOUT_MS),
        maxBytes: MAX_BYTES,
      },
    )
    if (answer.kind === 'answered' && answer.status === 200) return readVectors(answer.text, texts, endpoint)
    const { what, isTemporary, waitMs = 1000 * attempt } = failureOf(answer, model, clock.wall())
    if (!isTemporary || attempt === MAX_ATTEMPTS || waitMs > Math.min(MAX_WAIT_MS, deadline - clock.now()))
      throw lost(endpoint, what)
    await new Promise<void>((resume) => {
      timerClock.after(waitMs, resume)
    })
  }
}

function failureOf(answer: JsonAnswer, model: string, now: number) {
  if (answer.kind === 'lost') return { what: answer.reason, isTemporary: true }
  const { status, retryAfter = '' } = answer
  const isTemporary = status === 429 || status >= 500
  if (status === 401 || status === 403)
    return { what: `rejects the key (${status}); set ${EMBEDDINGS_KEY}`, isTemporary }
  if (status === 404) return { what: `has no such address or model (404): ${model}`, isTemporary }
  const waitMs = /^\d+$/.test(retryAfter) ? 1000 * Number(retryAfter) : Date.parse(retryAfter) - now
  return {
    what: `answers ${status}`,
    isTemporary,
    ...(Number.isNaN(waitMs) ? {} : { waitMs: Math.max(0, waitMs) }),
  }
}

/** Keeps a number a byte, as the file does, so that a report gives the same with and without the file. */
function readVectors(text: string | undefined, texts: readonly string[], endpoint: EmbeddingsEndpoint) {
  const reply = replySchema.safeParse(parseJson(text ?? ''))
  if (!reply.success) throw lost(endpoint, 'gives no vectors in the form of OpenAI')
  const { data } = reply.data
  const ordered = texts.flatMap((_, at) => data.find(({ index }) => index === at) ?? data[at] ?? [])
  if (data.length !== texts.length || ordered.length !== texts.length)
    throw lost(endpoint, `gives ${digits(data.length)} vectors for ${digits(texts.length)} texts`)
  return ordered.map(({ embedding }) => {
    const max = Math.max(...embedding.map(Math.abs))
    if (max === 0) throw lost(endpoint, 'gives an empty vector')
    return Int8Array.from(embedding, (value) => Math.round((127 * value) / max))
  })
}
