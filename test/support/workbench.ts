// A workbench of this process over a folder, and requests to it that no browser would send.
import { readFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { parse } from 'csv-parse/sync'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { RunView, WorkbenchEvent } from '../../src/workbench/api.ts'
import { realPorts, run, type RunOptions } from '../../src/library/index.ts'
import type { WatchedBrowser } from './watched-browser.ts'
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

/** What a person does to an answer of a run. What is not given has a default. */
type Act = { readonly run: string; readonly id: string } & Readonly<Record<string, unknown>>

export type OpenWorkbench = Awaited<ReturnType<typeof openWorkbench>>

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
) {
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
  const post = async (path: string, body: unknown): Promise<Answer> =>
    asPage(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(body),
    })
  const json = async <T>(path: string): Promise<T> => JSON.parse((await asPage(path)).text) as T
  const viewOf = async (path: string) => json<RunView>(`/api/run?path=${encodeURIComponent(path)}`)
  return {
    /** With the token. */
    url,
    origin,
    cookie,
    faults: faults as readonly unknown[],
    /** As the page sends it, unless `sent` says otherwise. The path is sent as it is written. */
    ask: asPage,
    post,
    json,
    /** Posts what makes something, and gives its path. */
    make: async (path: string, body: unknown) => {
      const { status, text } = await post(path, body)
      expect(status, text).toBe(200)
      return (JSON.parse(text) as { path: string }).path
    },
    /** As the page rates an answer, and decides what answers a question. */
    rate: async (rating: Act) =>
      post('/api/review', {
        message: 'm',
        answer: 'a',
        review: 'poor',
        note: '',
        reviewer: 'Ada',
        ...rating,
      }),
    decide: async (decision: Act) =>
      post('/api/decide', { message: '', article: null, reviewer: 'Ada', ...decision }),
    viewOf,
    /** Waits until a run of this workbench has its report. */
    reported: async (path: string) => {
      await expect.poll(async () => (await viewOf(path)).report, { timeout: 30_000 }).not.toBeNull()
      return viewOf(path)
    },
    close,
  }
}

/** A run of a set that `/api/start` takes. */
export const startOf = (set: string, more: object = {}) => ({
  set,
  columns: [],
  target: 'sandbox',
  maxCalls: null,
  baseline: null,
  ...more,
})

export async function openView(
  browser: WatchedBrowser,
  { url, origin }: Pick<OpenWorkbench, 'url' | 'origin'>,
  view: string,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await browser.open(url, options)
  await page.goto(`${origin}${view}`)
  return page
}

export const rowsIn = (path: string): Record<string, string>[] =>
  parse(readFileSync(path), { columns: true, bom: true })

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
