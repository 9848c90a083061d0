// `--embeddings`: vectors of questions, titles and headings from an endpoint in OpenAI's form. Each text is sent
// once: its vector is kept by its digest in a file beside the runs. No other text is sent.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { unit, type Vectors } from '../articles/vectors.ts'
import { digits } from '../domain/format.ts'
import { StorageError } from '../domain/storage-error.ts'
import { isLoopback } from '../endpoint/address.ts'
import { optionError } from '../options/faults.ts'
import type { RunSettings } from '../options/settings.ts'
import { appendWhole } from '../store/files.ts'
import type { Ports } from './ports.ts'

const EMBEDDINGS_KEY = 'ASSIST_EMBEDDINGS_KEY'
/** Keeps vectors, beside the runs. */
export const VECTORS_FILE = 'embeddings.jsonl'

/** Where vectors come from. */
export interface EmbeddingsEndpoint {
  readonly url: string
  readonly model: string
  readonly key: string | undefined
  /** The file that keeps vectors. */
  readonly cache: string
  /** Of one call. */
  readonly timeoutMs?: number
}

/** Why there are no vectors, in one line; never with the key. */
export class EmbeddingsError extends Error {
  override readonly name = 'EmbeddingsError'
}

/** Servers accept at least so many texts in a call. */
const BATCH = 32
/** Characters of a text that are sent: models read about as many. */
const MAX_TEXT = 2000
const MAX_ATTEMPTS = 3
/** A server that names a longer wait is lost for this report. */
const MAX_WAIT_MS = 60_000
const TIMEOUT_MS = 60_000
/** For all calls of a report. */
const BUDGET_MS = 10 * 60_000
/** 32 vectors of 4,096 numbers are 3 MB. */
const MAX_BYTES = 32_000_000

/** Throws UsageError for an address that texts and a key must not go to; undefined without `--embeddings`. */
export function readEmbeddings(
  { embeddings, embeddingsModel, allowHttp = false }: Partial<Nullable<EmbeddingOptions>>,
  cache: string,
  { env, secrets }: Pick<Ports, 'env' | 'secrets'>,
): EmbeddingsEndpoint | undefined {
  if (embeddings === undefined || embeddings === null) return undefined
  const rejected = (reason: string) => optionError('embeddings', reason)
  if (!URL.canParse(embeddings)) throw rejected('is not a URL; write it like http://localhost:11434/v1')
  const { protocol, hostname, username, password, search, hash, href } = new URL(embeddings)
  if (protocol !== 'https:' && protocol !== 'http:') throw rejected('must begin with https://')
  if (username !== '' || password !== '')
    throw rejected(`contains a user name or password; the key goes in ${EMBEDDINGS_KEY}`)
  if (search !== '' || hash !== '') throw rejected('contains a query or fragment; remove it')
  if (protocol === 'http:' && allowHttp !== true && !isLoopback(hostname))
    throw rejected('is plain http, and others could read the texts and the key; use https, or --allow-http')
  if (embeddingsModel === undefined || embeddingsModel === null)
    throw optionError('embeddings', 'needs --embeddings-model NAME')
  const key = env[EMBEDDINGS_KEY]?.trim() || undefined
  if (key !== undefined) {
    if (!/^[\x21-\x7e]+$/.test(key))
      throw optionError(
        'embeddings',
        `cannot use the key in ${EMBEDDINGS_KEY}: it has white space or other signs`,
      )
    secrets.keep(key)
  }
  return { url: href.replace(/\/+$/, ''), model: embeddingsModel, key, cache }
}

type EmbeddingOptions = Pick<RunSettings, 'embeddings' | 'embeddingsModel' | 'allowHttp'>
type Nullable<T> = { [Name in keyof T]: T[Name] | null }

/** What the screen says before the first call. */
export const embeddingsNote = ({ url, model }: EmbeddingsEndpoint): string =>
  `Questions, titles and headings go to ${url} (${model}) for their vectors, each text once; nothing else does`

/**
 * The vectors of these texts, with length 1. Throws EmbeddingsError where the endpoint does not give all of them;
 * those that it gave are kept for the next time.
 */
export async function vectorsOf(texts: Iterable<string>, endpoint: EmbeddingsEndpoint): Promise<Vectors> {
  const wanted = [...new Set(texts)]
  const known = readCache(endpoint)
  const missing = wanted.filter((text) => !known.has(digestOf(text, endpoint)))
  let size = known.values().next().value?.length
  const deadline = Date.now() + BUDGET_MS
  for (let from = 0; from < missing.length; from += BATCH) {
    const batch = missing.slice(from, from + BATCH)
    const vectors = (await embed(batch, endpoint, deadline)).map(quantized)
    for (const vector of vectors) {
      size ??= vector.length
      if (vector.length !== size)
        throw lost(
          endpoint,
          `gives vectors of ${digits(vector.length)} and of ${digits(size)} numbers; delete ${endpoint.cache}`,
        )
    }
    const lines = batch.map((text, index) => {
      const vector = vectors[index] ?? new Int8Array()
      known.set(digestOf(text, endpoint), vector)
      return `${JSON.stringify({ digest: digestOf(text, endpoint), int8: Buffer.from(vector.buffer).toString('base64') })}\n`
    })
    appendWhole(endpoint.cache, lines.join(''))
  }
  return new Map(
    wanted.map((text) => [text, unit(Float32Array.from(known.get(digestOf(text, endpoint)) ?? []))]),
  )
}

const digestOf = (text: string, { url, model }: EmbeddingsEndpoint): string =>
  createHash('sha256')
    .update(JSON.stringify([url, model, text]))
    .digest('hex')

const cacheLine = z.object({ digest: z.string(), int8: z.base64() })

/** A line that was cut off by a kill is asked for again. */
function readCache({ cache }: EmbeddingsEndpoint): Map<string, Int8Array> {
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

/** A number a byte, as the file keeps it, so that a report gives the same with and without the file. */
function quantized(vector: readonly number[]): Int8Array {
  const max = Math.max(...vector.map(Math.abs)) || 1
  return Int8Array.from(vector, (value) => Math.round((127 * value) / max))
}

const lost = ({ url }: EmbeddingsEndpoint, what: string): EmbeddingsError =>
  new EmbeddingsError(`${url} ${what}`)

/** One call, and up to two more after a 429, a 5xx or a lost connection. */
async function embed(texts: readonly string[], endpoint: EmbeddingsEndpoint, deadline: number) {
  for (let attempt = 1; ; attempt += 1) {
    const left = deadline - Date.now()
    if (left <= 0) throw lost(endpoint, `took longer than ${digits(BUDGET_MS / 60_000)} minutes`)
    const answer = await post(texts, endpoint, Math.min(left, endpoint.timeoutMs ?? TIMEOUT_MS))
    if (answer.kind === 'vectors') return answer.vectors
    const wait = answer.waitMs ?? 1000 * attempt
    if (
      !answer.isTemporary ||
      attempt === MAX_ATTEMPTS ||
      wait > Math.min(MAX_WAIT_MS, deadline - Date.now())
    )
      throw lost(endpoint, answer.what)
    await sleep(wait)
  }
}

type Answer =
  | { readonly kind: 'vectors'; readonly vectors: readonly (readonly number[])[] }
  | {
      readonly kind: 'failed'
      readonly what: string
      readonly isTemporary: boolean
      readonly waitMs?: number | undefined
    }

const failed = (what: string, isTemporary: boolean, waitMs?: number): Answer => ({
  kind: 'failed',
  what,
  isTemporary,
  waitMs,
})

const replySchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) })),
})

async function post(
  texts: readonly string[],
  { url, model, key }: EmbeddingsEndpoint,
  timeoutMs: number,
): Promise<Answer> {
  let response: Response
  let body: string | undefined
  try {
    response = await fetch(`${url}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input: texts.map((text) => text.slice(0, MAX_TEXT)) }),
      // The texts and the key are for this address alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    body = await bodyOf(response)
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return failed(isLate ? `gave no answer within ${digits(timeoutMs / 1000)} s` : 'cannot be reached', true)
  }
  const { status, headers } = response
  if (status === 401 || status === 403)
    return failed(`rejects the key (${status}); set ${EMBEDDINGS_KEY}`, false)
  if (status === 404) return failed(`has no such address or model (404): ${model}`, false)
  if (status === 429 || status >= 500)
    return failed(`answers ${status}`, true, retryAfterMs(headers.get('retry-after')))
  if (status !== 200) return failed(`answers ${status}`, false)
  const reply = replySchema.safeParse(parseJson(body ?? ''))
  if (!reply.success) return failed('gives no vectors in the form of OpenAI', false)
  const { data } = reply.data
  const vectors = texts.map(
    (_, place) => (data.find(({ index }) => index === place) ?? data[place])?.embedding,
  )
  const found = vectors.flatMap((vector) => (vector === undefined ? [] : [vector]))
  if (data.length !== texts.length || found.length !== texts.length)
    return failed(`gives ${digits(data.length)} vectors for ${digits(texts.length)} texts`, false)
  if (found.some((vector) => vector.every((value) => value === 0)))
    return failed('gives an empty vector', false)
  return { kind: 'vectors', vectors: found }
}

/** Undefined for more than a batch can need. */
async function bodyOf(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Seconds or a date; undefined for anything else. */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? 1000 * Number(value) : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** A lost endpoint costs the vectors alone. */
export const withoutVectors =
  (tell: (text: string) => void) =>
  (error: unknown): undefined => {
    if (!(error instanceof EmbeddingsError || error instanceof StorageError)) throw error
    tell(`Causes of gaps are found without vectors: ${error.message}`)
  }
