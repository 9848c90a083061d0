// A workbench of this process over a folder, and requests to it that no browser would send.
import { request as send } from 'node:http'
import { onTestFinished } from 'vitest'
import type { RunView, WorkbenchEvent } from '../../src/workbench/api.ts'
import { realPorts, run, type RunOptions } from '../../src/library/index.ts'
import { startWorkbench, type WorkbenchOptions } from '../../src/workbench/server.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

export interface Sent {
  readonly method?: string
  /** Added to the cookie and the host; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string | Uint8Array
}

export interface OpenWorkbench {
  /** With the token. */
  readonly url: string
  readonly origin: string
  readonly cookie: string
  readonly faults: readonly unknown[]
  /** As the page sends it, unless `sent` says otherwise. The path is sent as it is written. */
  readonly ask: (path: string, sent?: Sent) => Promise<Answer>
  readonly post: (path: string, body: unknown) => Promise<Answer>
  readonly viewOf: (path: string) => Promise<RunView>
  readonly close: () => Promise<void>
}

export const runOnSandbox = async (set: string, out: string, options: Partial<RunOptions> = {}) =>
  run({ datasets: [set], sandbox: true, rate: 'unlimited', out, ...options })

/** Gathers the events that a page hears, until the test ends. */
export async function hearEvents({ origin, cookie }: OpenWorkbench): Promise<readonly WorkbenchEvent[]> {
  const heard: WorkbenchEvent[] = []
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const { body } = await fetch(`${origin}/api/events`, { headers: { cookie }, signal: abort.signal })
  const read = async (): Promise<void> => {
    let text = ''
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${text}${chunk}`.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines)
        if (line.startsWith('data: ')) heard.push(JSON.parse(line.slice(6)) as WorkbenchEvent)
    }
  }
  void read().catch(() => undefined)
  return heard
}

/** Closed with the test. */
export async function openWorkbench(
  folder: string,
  { env = {}, ...more }: Partial<WorkbenchOptions> & { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<OpenWorkbench> {
  const faults: unknown[] = []
  const { url, close } = await startWorkbench({
    folder,
    options: {},
    targets: [],
    articles: undefined,
    kb: undefined,
    maxCalls: undefined,
    port: 0,
    isReadOnly: false,
    ports: { ...realPorts(), env },
    failed: (error) => void faults.push(error),
    ...more,
  })
  onTestFinished(close)
  const { origin, pathname, search } = new URL(url)
  const opened = await ask(origin, `${pathname}${search}`)
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  const asPage = async (path: string, { headers, ...rest }: Sent = {}) =>
    ask(origin, path, { ...rest, headers: { cookie, ...headers } })
  return {
    url,
    origin,
    cookie,
    faults,
    ask: asPage,
    post: async (path, body) =>
      asPage(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify(body),
      }),
    viewOf: async (path) =>
      JSON.parse((await asPage(`/api/run?path=${encodeURIComponent(path)}`)).text) as RunView,
    close,
  }
}

async function ask(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new Promise((resolve, reject) => {
    const request = send(
      { hostname, port, path, method, headers: Object.fromEntries(given), agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
