// An Assist endpoint for tests. It answers every call well unless the test decides otherwise for that call.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, onTestFinished, vi } from 'vitest'

export interface ReceivedCall {
  /** From 1, in the order of arrival. */
  readonly number: number
  readonly headers: IncomingMessage['headers']
  readonly url: string
  readonly body: { readonly message: string; readonly conversationId?: string; readonly endUserRef?: string }
  readonly response: ServerResponse
  readonly socket: Socket
}

export type TestEndpoint = Awaited<ReturnType<typeof startEndpoint>>

/**
 * Returns true if it has answered the call or leaves it open on purpose. Otherwise the call gets a good
 * answer.
 */
export type Behaviour = (call: ReceivedCall) => boolean | void

/** PEM. */
export interface Identity {
  readonly key: string
  readonly cert: string
}

/** With `identity` it serves TLS. */
export async function startEndpoint(behave: Behaviour = () => false, identity?: Identity) {
  const calls: ReceivedCall[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedCall['body']
      const { headers, url = '', socket } = request
      const call = { number: calls.length + 1, headers, url, body, response, socket }
      calls.push(call)
      if (behave(call) !== true) answerJson(call, 200, goodReply(call))
    })
    request.on('error', () => undefined)
  }
  const server = identity === undefined ? createServer(listener) : createTlsServer(identity, listener)
  server.on('connection', (socket: Socket) => void socket.on('error', () => undefined))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** Resolves when that many calls have arrived in total. */
    called: async (times: number) =>
      void (await vi.waitUntil(() => calls.length >= times, { timeout: 60_000, interval: 5 })),
    close: async () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const goodReply = ({ body, number }: ReceivedCall): Record<string, unknown> => ({
  conversationId: body.conversationId ?? `conversation-${number}`,
  message: `answer to: ${body.message}`,
  status: 'success',
  contextSource: 'KNOWLEDGE_BASE',
})

export function answerJson(
  { response }: ReceivedCall,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  return true
}

/** Closes after the test. */
export async function openEndpoint(behave?: Behaviour): Promise<TestEndpoint> {
  const endpoint = await startEndpoint(behave)
  onTestFinished(async () => endpoint.close())
  return endpoint
}

/** Closes after the tests of the file. */
export async function serveFile(behave: Behaviour): Promise<TestEndpoint> {
  const endpoint = await startEndpoint(behave)
  afterAll(async () => endpoint.close())
  return endpoint
}

/** For concurrent tests: closes when `use` has ended. */
export async function withEndpoint<T>(
  behave: Behaviour | undefined,
  use: (endpoint: TestEndpoint) => Promise<T>,
): Promise<T> {
  const endpoint = await startEndpoint(behave)
  try {
    return await use(endpoint)
  } finally {
    await endpoint.close()
  }
}

/** Keeps calls in flight until the test releases them, whatever the speed of the machine. */
export function holdAnswers() {
  let held: (() => void)[] | undefined = []
  return {
    /** Answers well, but only after the release. */
    hold: (call: ReceivedCall): true => {
      const answer = (): void => void answerJson(call, 200, goodReply(call))
      if (held === undefined) answer()
      else held.push(answer)
      return true
    },
    release: () => {
      for (const answer of held ?? []) answer()
      held = undefined
    },
  }
}
