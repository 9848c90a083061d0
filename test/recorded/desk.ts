// The scripted endpoint that the recorded runs were asked of: replies by message, and by how often it was asked.
import {
  answerJson,
  goodReply,
  startEndpoint,
  type ReceivedCall,
  type TestEndpoint,
} from '../support/endpoint.ts'

interface Asked {
  /** How often this message came, with this call. */
  readonly times: number
  readonly call: ReceivedCall
}

/** Text is an answer from the knowledge base; an object replaces fields of a good reply; a function answers itself. */
export type Reply = string | Readonly<Record<string, unknown>> | ((asked: Asked) => Reply | undefined)
/** `default` for any other message. */
export type Script = Readonly<Record<string, Reply>>

export interface Desk {
  readonly endpoint: TestEndpoint
  /** From now on these replies, each after so many milliseconds. */
  readonly play: (script: Script, delayMs?: number) => void
}

export async function startDesk(): Promise<Desk> {
  const times = new Map<string, number>()
  let [script, delayMs]: [Script, number] = [{}, 0]
  const endpoint = await startEndpoint((call) => {
    const { message } = call.body
    times.set(message, (times.get(message) ?? 0) + 1)
    const asked = { times: times.get(message) ?? 1, call }
    setTimeout(() => give(script[message] ?? script['default'] ?? `answer to: ${message}`, asked), delayMs)
    return true
  })
  return {
    endpoint,
    play: (next, delay = 3) => {
      times.clear()
      ;[script, delayMs] = [next, delay]
    },
  }
}

function give(reply: Reply, asked: Asked): void {
  if (typeof reply === 'function') {
    const given = reply(asked)
    if (given !== undefined) give(given, asked)
    return
  }
  const fields = typeof reply === 'string' ? { message: reply } : reply
  answerJson(asked.call, 200, { ...goodReply(asked.call), ...fields })
}

export const model = (message: string): Reply => ({ message, contextSource: 'MODEL' })

/** The contract's error object. */
export const fails =
  (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  ({ call }) => {
    for (const [name, value] of Object.entries(headers)) call.response.setHeader(name, value)
    answerJson(call, status, { success: false, error: { code, message: `${code} of a test` } })
    return undefined
  }

/** The body as it is. */
export const says =
  (status: number, body: string, type = 'text/html'): Reply =>
  ({ call }) => {
    call.response.writeHead(status, { 'content-type': type }).end(body)
    return undefined
  }

export const hangs: Reply = () => undefined

export const resets: Reply = ({ call }) => {
  call.socket.destroy()
  return undefined
}

/** A body that ends before it should. */
export const breaksOff: Reply = ({ call }) => {
  call.response.writeHead(200, { 'content-type': 'application/json', 'content-length': '400' })
  call.response.write('{"conversationId":"half","mess')
  setTimeout(() => call.socket.destroy(), 20)
  return undefined
}

/** One reply after the other, the last one from then on. */
export const inTurn =
  (...replies: readonly Reply[]): Reply =>
  ({ times }) =>
    replies[Math.min(times, replies.length) - 1] ?? ''
