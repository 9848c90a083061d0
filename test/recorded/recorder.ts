// Records a case: runs of the library on a virtual clock, against an endpoint whose answers are scripted. Their
// bytes depend on this checkout alone, so a case that is made again differs only where the product does.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { stringify } from 'csv-stringify/sync'
import type { AttemptReport } from '../../src/domain/attempt.ts'
import type { Mask } from '../../src/domain/secret.ts'
import { buildReport } from '../../src/endpoint/result.ts'
import type { Ending } from '../../src/endpoint/exchange.ts'
import { load, type LoadOptions } from '../../src/library/load.ts'
import { type Ports, realPorts } from '../../src/library/ports.ts'
import { run, type RunOptions } from '../../src/library/run.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { recordedFolder } from './cases.ts'

/** A call as the endpoint receives it. */
export interface Asked {
  readonly message: string
  readonly conversationId: string | undefined
  /** From 1, over all calls of the case. */
  readonly number: number
  /** How often this message came in this session. */
  readonly times: number
  /** Milliseconds of the clock. */
  readonly at: number
}

export interface Response {
  /** Undefined: the call ends without an answer. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly ending: Ending
}

/** Text is an answer from the knowledge base. */
export type Reply = string | Response | ((asked: Asked) => Reply)
/** Replies by message; `default` for any other. */
export type Script = Readonly<Record<string, Reply>>

export const says = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/html' },
): Response => ({ status, headers, body, ending: { kind: 'whole' } })

/** A good answer with other fields. */
export const answers =
  (fields: Readonly<Record<string, unknown>>) =>
  ({ message, conversationId, number }: Asked): Response => {
    const good = {
      conversationId: conversationId ?? `conversation-${number}`,
      message: `answer to: ${message}`,
      status: 'success',
      contextSource: 'KNOWLEDGE_BASE',
    }
    return says(200, JSON.stringify({ ...good, ...fields }), { 'content-type': 'application/json' })
  }

interface Session {
  readonly script?: Script
  /** Milliseconds of the fastest call; a few take up to four times as long. */
  readonly ms?: number
  /** At this call of the session the process dies: the folder stays as it is then. */
  readonly killedAt?: number
}

function reportOf(
  { status, headers = {}, body = '', ending }: Response,
  sentAt: number,
  endedAt: number,
  mask: Mask,
): AttemptReport {
  const rawHeaders = Object.entries(headers).flatMap((pair) => pair.map((text) => Buffer.from(text)))
  const answer = status === undefined ? undefined : { httpStatus: status, rawHeaders }
  return buildReport({ sent: true, sentAt, endedAt, answer, body: Buffer.from(body) }, ending, mask)
}

const SENT = { datasets: ['set.csv'], baseUrl: 'http://127.0.0.1:9', apiKey: 'recorded-key-0123456789' }
const START_MS = Date.UTC(2026, 10, 28, 6)
const LARGEST = 60_000
const KEPT = /^(run\.json|articles\.csv|journal[.0-9]*\.ndjson)$/

/** The folder as it was when the process died, if it did. */
function leave(out: string, { killedAt }: Session): void {
  if (killedAt === undefined) return
  rmSync(out, { recursive: true })
  rmSync('killed/lock', { force: true })
  renameSync('killed', out)
}

export class Recorder {
  readonly #clock = new VirtualClock()
  readonly #random = seededRandom(1)
  #calls = 0

  /** Works in the current folder: its path would be a part of messages. */
  constructor() {
    this.#clock.jump(START_MS - this.#clock.wall())
  }

  /** The question set of what follows; the first row is the header. */
  set(rows: readonly (readonly string[])[]): void {
    writeFileSync('set.csv', stringify(rows.map((row) => [...row])))
  }

  async run(options: RunOptions, session: Session = {}): Promise<void> {
    const out = String(options.out ?? 'run')
    const sent = run({ ...options, ...SENT, out }, this.#portsOf(out, session))
    await this.#clock.runUntil(sent, options.rate === undefined ? 20 : 0)
    leave(out, session)
  }

  async load(options: LoadOptions, session: Session = {}): Promise<void> {
    await this.#clock.runUntil(load({ ...options, ...SENT, out: 'run' }, this.#portsOf('run', session)))
    leave('run', session)
  }

  #portsOf(out: string, session: Session): Ports {
    const [clock, random] = [this.#clock, this.#random]
    clock.jump(60_000)
    const connect = this.#endpoint(session, (call) => {
      if (call === session.killedAt) cpSync(out, 'killed', { recursive: true })
    })
    return { ...realPorts(), clock, timerClock: clock, random, connect }
  }

  #endpoint({ script = {}, ms = 3 }: Session, onCall: (call: number) => void): Ports['connect'] {
    const [clock, random] = [this.#clock, this.#random]
    const times = new Map<string, number>()
    let calls = 0
    const respond = (reply: Reply, asked: Asked): Response => {
      if (typeof reply === 'function') return respond(reply(asked), asked)
      return typeof reply === 'string' ? respond(answers({ message: reply }), asked) : reply
    }
    return async ({ timeoutMs, mask }) =>
      Promise.resolve({
        send: ({ message, conversationId }, { beforeSend, ended }) => {
          // A call is sent a little after it may be: that is the lag of load tests.
          clock.after(0.2 + random(), () => {
            const sentAt = clock.now()
            beforeSend?.()
            onCall(++calls)
            times.set(message, (times.get(message) ?? 0) + 1)
            const call = { number: ++this.#calls, times: times.get(message) ?? 1, at: sentAt }
            const reply = script[message] ?? script['default'] ?? answers({})
            const response = respond(reply, { message, conversationId, ...call })
            const took = response.ending.kind === 'deadline' ? timeoutMs + 1 : ms * (1 + 3 * random() ** 3)
            clock.after(took, () => ended(reportOf(response, sentAt, clock.now(), mask)))
          })
        },
        close: async () => Promise.resolve(),
      })
  }

  /** Changes the journal's lines, as a crash would leave them. */
  damage(change: (lines: string[]) => string): void {
    const file = 'run/journal.ndjson'
    writeFileSync(file, change(readFileSync(file, 'utf8').split('\n')))
  }

  /** Takes over the run folders into the folder of the case. */
  keep(name: string): void {
    for (const entry of readdirSync('.', { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      const to = join(recordedFolder, name, entry.name)
      rmSync(to, { recursive: true, force: true })
      mkdirSync(to, { recursive: true })
      for (const file of readdirSync(entry.name).filter((one) => KEPT.test(one))) {
        const text = readFileSync(`${entry.name}/${file}`, 'utf8')
        // A run's id is random, whatever the ports are.
        const id = createHash('sha256').update(`${name}/${entry.name}`).digest('hex').slice(0, 12)
        const fixed = file === 'run.json' ? text.replace(/(?<="runId": ")\w+/, id) : text
        if (fixed.length <= LARGEST) writeFileSync(join(to, file), fixed)
        else writeFileSync(join(to, `${file}.gz`), gzipSync(fixed, { level: 9 }))
      }
    }
  }
}
