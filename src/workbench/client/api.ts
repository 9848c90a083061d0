// Requests to the server of the workbench, by address. What each takes: ../requests.ts; what it answers:
// ../api.ts.
import type { Answers, Made, Refusal, Requests, SetFault, Views } from '../api.ts'

/** The server did not do it. The message is for the user. */
export class Refused extends Error {
  readonly faults: readonly SetFault[]
  constructor({ error, faults = [] }: Partial<Refusal>) {
    super(error)
    this.faults = faults
  }
}

type Parameters = Readonly<Record<string, string | readonly string[]>>

/** A parameter with several values is repeated. */
export const get = async <P extends keyof Views>(path: P, parameters: Parameters = {}): Promise<Views[P]> =>
  send<Views[P]>(`${path}${queryOf(parameters)}`, { method: 'GET' })

export const post = async <P extends keyof Requests>(path: P, body: Requests[P]): Promise<Answers[P]> =>
  send<Answers[P]>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The answer is the path of the set that the file became. */
export const upload = async (file: File): Promise<Made> =>
  send<Made>(`/api/upload${queryOf({ name: file.name })}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })

/** `?path=a%20b`; empty without parameters. Lone surrogates cannot be encoded. */
export function queryOf(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}=${encodeURIComponent(value.toWellFormed())}`),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

export const runAddress = (path: string): string => `/run${queryOf({ path })}`

async function send<T>(address: string, init: RequestInit): Promise<T> {
  let response: Response
  let text: string
  try {
    response = await fetch(address, init)
    text = await response.text()
  } catch {
    throw new Refused({ error: 'The workbench does not answer. Start it again.' })
  }
  if (response.ok) return JSON.parse(text) as T
  throw new Refused({ error: `The workbench answered ${response.status}.`, ...refusalIn(text) })
}

/** A proxy in between, or a server that failed, may answer without JSON. */
function refusalIn(text: string): Partial<Refusal> {
  try {
    return JSON.parse(text) as Partial<Refusal>
  } catch {
    return {}
  }
}
