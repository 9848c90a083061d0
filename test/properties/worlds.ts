// Small question sets and endpoints made from a seed: each seed gives another, always the same.
import { stringify } from 'csv-stringify/sync'
import { inject } from 'vitest'
import { answer, type Endpoint, type Reply } from './harness.ts'
import { network, rejection, timeout } from '../support/recorded.ts'

/** A number in [0, 1) for each address. Neighbouring addresses give unrelated numbers. */
export function chance(...address: readonly number[]): number {
  let hash = 0x9e3779b9
  for (const part of address) {
    hash = Math.imul(hash ^ part, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return (hash >>> 0) / 2 ** 32
}

/** One of 0, …, `count` - 1. */
export const choose = (count: number, ...address: readonly number[]): number =>
  Math.floor(chance(...address) * count)

declare module 'vitest' {
  interface ProvidedContext {
    readonly isLong: boolean
  }
}

/** A fifth of the worlds in the short tests; all in `npm run test:long`. */
export const worlds = (all: number): number => (inject('isLong') ? all : Math.ceil(all / 5))

export const messageOf = (id: string): string => `message of ${id}`

export type World = ReturnType<typeof makeWorld>

/** Ids of so many conversations, each of one to `longest` turns: `t1.1`, `t1.2`, `t2.1`, … */
export const threadsOf = (seed: number, count: number, longest: number): string[][] =>
  Array.from({ length: count }, (_, thread) =>
    Array.from({ length: 1 + choose(longest, seed, 2, thread) }, (__, turn) => `t${thread + 1}.${turn + 1}`),
  )

/** Two to four threads of one to four turns, 1 or 2 repeats, 1 to 3 calls in flight, some with a budget. */
export function makeWorld(seed: number) {
  /** In the order of the set. */
  const ids = threadsOf(seed, 2 + choose(3, seed, 1), 4).flat()
  const repeat = 1 + choose(2, seed, 3)
  const maxCalls = seed % 3 === 0 ? 1 + choose(ids.length * repeat + 2, seed, 5) : undefined
  return { csv: csvOf(ids), ids, options: { repeat, concurrency: 1 + choose(3, seed, 4), maxCalls } }
}

/** Every third question expects an item number in its answer; tags alternate. */
const tagged = (at: number) => ({
  tags: `tag${at % 2}`,
  expect_contains: at % 3 === 0 ? `item ${at % 2}` : '',
  owner: `owner ${at}`,
})

/** The set of these questions, with further cells of each. */
export const csvOf = (
  ids: readonly string[],
  cellsOf: (at: number, id: string) => Readonly<Record<string, string>> = tagged,
): string =>
  stringify(
    ids.map((id, at) => {
      const [thread, turn] = id.split('.')
      return { id, thread, turn, message: messageOf(id), ...cellsOf(at, id) }
    }),
    { header: true },
  )

/**
 * One call in four fails, in one of nine ways. `sessionNumber` makes the same call number differ between
 * sessions.
 */
export function faultyEndpoint(seed: number, sessionNumber: number): Endpoint {
  return (call) => {
    const { number, message } = call
    const reply = (conversationId: string): Reply =>
      answer(
        `answer ${sessionNumber}.${number} to ${message}`,
        conversationId,
        number % 3 === 0 ? 'MODEL' : 'KNOWLEDGE_BASE',
      )
    const counted = chance(seed, sessionNumber, number, 1) < 0.5
    const malformed = { kind: 'malformed', httpStatus: 200, reason: 'no message', excerpt: '{}' } as const
    /** How many of 48 calls get each reply. */
    const faults: [number, Reply][] = [
      [1, { result: rejection(429), counted: false }],
      [2, { result: rejection(429, { 'retry-after': '3' }), counted: false }],
      [1, { result: rejection(400), counted: false }],
      [2, { result: rejection(503), counted }],
      [2, { result: timeout, counted }],
      [1, { result: network(false), counted: false }],
      [1, { result: network(true), counted }],
      [1, { result: malformed, counted: true }],
      [2, reply(`lost-${sessionNumber}-${number}`)],
    ]
    let place = choose(48, seed, sessionNumber, number)
    const [, fault] = faults.find(([width]) => (place -= width) < 0) ?? []
    return fault ?? reply(call.conversationId ?? `c-${sessionNumber}-${number}`)
  }
}

/** Its answers depend on the question alone. */
export const steadyEndpoint =
  (seed: number): Endpoint =>
  ({ message, conversationId, number }) => {
    const question = Array.from(message).reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7) % 100_003
    if (chance(seed, question) < 0.1) return { result: rejection(400), counted: false }
    return answer(
      `item ${choose(2, seed, question, 1)} for ${message}`,
      conversationId ?? `c${number}`,
      chance(seed, question, 2) < 0.3 ? 'MODEL' : 'KNOWLEDGE_BASE',
    )
  }
