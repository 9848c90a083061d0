// The server of the workbench, as its routes declare it.
import { hc } from 'hono/client'
import type { EncodedFile, Refusal, SetFault } from '../api.ts'
import type { Api } from '../routes.ts'

/** The server did not do it. The message is for the user. */
export class Refused extends Error {
  readonly faults: readonly SetFault[]
  constructor({ error, faults = [] }: Partial<Refusal>) {
    // The first fault says what to mend.
    super(faults[0]?.message ?? error)
    this.faults = faults
  }
}

/** Rejects with `Refused`, also where the server does not answer. */
const send: typeof fetch = async (input, init) => {
  let response: Response
  try {
    const answered = await fetch(input, init)
    // A body that nobody reads would hold its connection.
    response = new Response(await answered.text(), answered)
  } catch {
    throw new Refused({ error: 'The workbench does not answer. Start it again.' })
  }
  if (response.ok) return response
  // A proxy in between, or a server that failed, may answer without JSON.
  const refusal = (await response.json().catch(() => ({}))) as Partial<Refusal>
  throw new Refused({ error: `The workbench answered ${response.status}.`, ...refusal })
}

export const { api } = hc<Api>('/', { fetch: send })

/** The answer is the path of the set that the file became. */
export async function upload(file: File): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream' }
  const response = await api.upload.$post({ query: { name: file.name } }, { headers, init: { body: file } })
  return (await response.json()).path
}

/** Leaves out what can be neither an article nor an export. */
export const readFolder = async (files: readonly File[]): Promise<EncodedFile[]> =>
  Promise.all(
    files
      .filter(({ name }) => /\.(?:mdx?|markdown|html?|txt|csv|xlsx|json)$/i.test(name))
      .map(async (file) => ({
        name: file.webkitRelativePath.replace(/^[^/]*\//, ''),
        base64: await base64Of(file),
      })),
  )

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  // A call takes so many arguments.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, index) =>
    String.fromCharCode(...bytes.subarray(index * 8192, (index + 1) * 8192)),
  )
  return btoa(pieces.join(''))
}

/** `?path=a%20b`; empty without parameters. Lone surrogates cannot be encoded. */
export function queryOf(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

export const runAddress = (path: string): string => `/run${queryOf({ path })}`
