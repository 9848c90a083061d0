// `--embeddings`: vectors of questions, titles and headings. Each text is sent once: its vector is kept by
// its digest in a file beside the runs. No other text is sent.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import * as z from 'zod'
import type { Article } from '../articles/article.ts'
import { headingsOf, unit, type Vectors } from '../articles/vectors.ts'
import { digits } from '../domain/format.ts'
import { StorageError } from '../domain/storage-error.ts'
import { checkUrl } from '../endpoint/address.ts'
import type { EmbeddingsEndpoint } from '../endpoint/embeddings.ts'
import { optionError } from '../options/faults.ts'
import type { RunSettings } from '../options/settings.ts'
import { appendWhole } from '../store/files.ts'
import type { Ports } from './ports.ts'

const KEY = 'ASSIST_EMBEDDINGS_KEY'
export const VECTORS_FILE = 'embeddings.jsonl'

type EmbeddingOptions = {
  [Name in 'embeddings' | 'embeddingsModel' | 'allowHttp']?: RunSettings[Name] | null | undefined
}

/** Reads `--embeddings`. Throws UsageError for an address that texts and a key must not go to. */
export function readEmbeddings(
  { embeddings, embeddingsModel, allowHttp }: EmbeddingOptions,
  ports: Ports,
  note: (text: string) => void = () => undefined,
): EmbeddingsEndpoint | undefined {
  if (embeddings === undefined || embeddings === null) return undefined
  const checked = checkUrl(embeddings, allowHttp === true, KEY)
  if (typeof checked === 'string') throw optionError('embeddings', checked)
  if (embeddingsModel === undefined || embeddingsModel === null)
    throw optionError('embeddings', 'needs --embeddings-model NAME')
  const key = ports.env[KEY]?.trim() || undefined
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw optionError('embeddings', `cannot use the key in ${KEY}: it has white space or other signs`)
  if (key !== undefined) ports.secrets.keep(key)
  const url = checked.href.replace(/\/+$/, '')
  note(
    `Questions, titles and headings go to ${url} (${embeddingsModel}) for their vectors, each text once; ` +
      'nothing else does',
  )
  return { url, model: embeddingsModel, key, ports }
}

export async function tryVectors(
  endpoint: EmbeddingsEndpoint | undefined,
  cache: string,
  { articles, questions }: { readonly articles: readonly Article[]; readonly questions: readonly string[] },
  tell: (text: string) => void,
): Promise<Vectors | undefined> {
  if (endpoint === undefined) return undefined
  try {
    return await vectorsOf([...articles.flatMap(headingsOf), ...questions], endpoint, cache)
  } catch (error) {
    const { EmbeddingsError } = await import('../endpoint/embeddings.ts')
    if (!(error instanceof EmbeddingsError || error instanceof StorageError)) throw error
    tell(`Causes of gaps are found without vectors: ${error.message}`)
    return undefined
  }
}

/** Gives vectors of length 1. Vectors from before an endpoint was lost are kept for the next time. */
export async function vectorsOf(
  texts: readonly string[],
  endpoint: EmbeddingsEndpoint,
  cache: string,
): Promise<Vectors> {
  const { embed, EmbeddingsError } = await import('../endpoint/embeddings.ts')
  const digestOf = (text: string): string =>
    createHash('sha256')
      .update(JSON.stringify([endpoint.url, endpoint.model, text]))
      .digest('hex')
  const digests = new Map(texts.map((text) => [text, digestOf(text)]))
  const known = readCache(cache)
  const missing = [...digests.keys()].filter((text) => !known.has(digests.get(text) ?? ''))
  // Of this model alone: the file holds vectors of others, too.
  let size = [...digests.values()].flatMap((digest) => known.get(digest)?.length ?? [])[0]
  for await (const { batch, vectors } of embed(missing, endpoint)) {
    const lines = vectors.map((vector, index) => {
      const digest = digests.get(batch[index] ?? '') ?? ''
      size ??= vector.length
      if (vector.length !== size) {
        const sizes = `${digits(vector.length)} and of ${digits(size)} numbers`
        throw new EmbeddingsError(endpoint, `gives vectors of ${sizes}; delete ${cache}`)
      }
      known.set(digest, vector)
      return `${JSON.stringify({ digest, int8: Buffer.from(vector.buffer).toString('base64') })}\n`
    })
    appendWhole(cache, lines.join(''))
  }
  return new Map(
    [...digests].map(([text, digest]) => [text, unit(Float32Array.from(known.get(digest) ?? []))]),
  )
}

const cacheLine = z.object({ digest: z.string(), int8: z.base64() })

/** Skips a line that was cut off by a kill: its text is sent again. */
function readCache(cache: string): Map<string, Int8Array> {
  const known = new Map<string, Int8Array>()
  if (!existsSync(cache)) return known
  for (const line of readFileSync(cache, 'utf8').split('\n'))
    try {
      const { digest, int8 } = cacheLine.parse(JSON.parse(line))
      known.set(digest, new Int8Array(Buffer.from(int8, 'base64')))
    } catch {
      continue
    }
  return known
}
