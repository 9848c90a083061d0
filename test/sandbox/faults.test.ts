// Which fault strikes which call; each as a raw client sees it, and what the ledger says of the call.
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { chooseFault, faultSchema, isProcessed } from '../../src/sandbox/faults.ts'
import { seededDraw } from '../../src/sandbox/latency.ts'
import { startClient } from './client.ts'
import { assistRequest, sendRaw, type RawAnswer } from './raw-client.ts'

const fault = (when: unknown, kind = 'reset') => faultSchema.parse({ kind, when })
const struck = (faults: Parameters<typeof chooseFault>[0], calls: number, seed = 1): number[] =>
  Array.from({ length: calls }, (_, index) => index + 1).filter((number) =>
    chooseFault(faults, number, 'My PRINTER burns', seededDraw(seed)),
  )

test.each([
  [{}, [1, 2, 3, 4, 5, 6]],
  [{ calls: [2, 5] }, [2, 5]],
  [{ every: 3 }, [3, 6]],
  [{ every: 2, calls: [2, 3] }, [2]],
  [{ message: '^vpn|printer' }, [1, 2, 3, 4, 5, 6]],
  [{ message: 'vpn' }, []],
  [{ rate: 0 }, []],
  [{ rate: 1 }, [1, 2, 3, 4, 5, 6]],
])('%j strikes of six calls %j', (when, numbers) => {
  expect(struck([fault(when)], 6)).toEqual(numbers)
})

test('where several would, the first in the list strikes', () => {
  const faults = [fault({ calls: [2] }, 'hang'), fault({}, 'reset')]
  expect([1, 2].map((number) => chooseFault(faults, number, '', seededDraw(1))?.kind)).toEqual([
    'reset',
    'hang',
  ])
})

describe('by rate', () => {
  test('the share is kept, and two faults strike independently of each other', () => {
    expect(struck([fault({ rate: 0.1 })], 20_000).length / 2000).toBeCloseTo(1, 0)
    const both = [fault({ rate: 0.5 }, 'reset'), fault({ rate: 0.5 }, 'hang')]
    expect(struck(both, 10_000).length / 10_000).toBeCloseTo(0.75, 1)
  })
  test('the same seed strikes the same calls, another seed others', () => {
    const faults = [fault({ rate: 0.2 })]
    expect(struck(faults, 200, 7)).toEqual(struck(faults, 200, 7))
    expect(struck(faults, 200, 7)).not.toEqual(struck(faults, 200, 8))
  })
})

test('a proxy that answers 200 cannot have spared the assistant', () => {
  expect(isProcessed(faultSchema.parse({ kind: 'proxy-html', status: 200, stage: 'before' }))).toBe(true)
})

type Seen = readonly [
  fault: z.input<typeof faultSchema>,
  counted: boolean,
  outcome: 'answered' | 'faulted',
  see: (answer: RawAnswer) => void,
]

const bodyOf = ({ text }: RawAnswer): string => text.slice(text.indexOf('\r\n\r\n') + 4)
const jsonOf = (answer: RawAnswer): unknown => JSON.parse(bodyOf(answer))
const hasStatus = (status: number) => (answer: RawAnswer) =>
  expect(answer.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
const isSilent = (how: string) => (answer: RawAnswer) =>
  expect([answer.text, answer.ended]).toEqual(['', how])

const table: readonly Seen[] = [
  [
    { kind: 'server-error', status: 503, retryAfter: 7 },
    true,
    'faulted',
    (answer) => {
      hasStatus(503)(answer)
      expect(answer.text).toMatch(/retry-after: 7\r\n/i)
      expect(jsonOf(answer)).toMatchObject({ success: false, error: { code: 'SERVICE_FAILURE' } })
    },
  ],
  [{ kind: 'server-error', stage: 'before' }, false, 'faulted', hasStatus(500)],
  [
    { kind: 'proxy-html', stage: 'before' },
    false,
    'faulted',
    (answer) => {
      hasStatus(502)(answer)
      expect(answer.text).toMatch(/content-type: text\/html/i)
      expect(bodyOf(answer)).toMatch(/^<html>/)
    },
  ],
  [{ kind: 'proxy-html', status: 200 }, true, 'faulted', hasStatus(200)],
  [{ kind: 'reset', stage: 'before' }, false, 'faulted', isSilent('ECONNRESET')],
  [{ kind: 'reset', stage: 'after' }, true, 'faulted', isSilent('ECONNRESET')],
  [{ kind: 'hang', stage: 'before' }, false, 'faulted', isSilent('timeout')],
  [{ kind: 'hang' }, true, 'faulted', isSilent('timeout')],
  [{ kind: 'refusal', status: 401 }, false, 'faulted', hasStatus(401)],
  [
    { kind: 'redirect', status: 308, location: 'https://elsewhere.example.com/' },
    false,
    'faulted',
    (answer) => {
      hasStatus(308)(answer)
      expect(answer.text).toMatch(/location: https:\/\/elsewhere\.example\.com\/\r\n/i)
    },
  ],
  [
    { kind: 'drip', over: '300ms' },
    true,
    'answered',
    (answer) => {
      expect(jsonOf(answer)).toMatchObject({ status: 'success' })
      expect(answer.spreadMs).toBeGreaterThan(200)
    },
  ],
  [
    { kind: 'truncated' },
    true,
    'faulted',
    (answer) => {
      const promised = Number(/content-length: (\d+)/i.exec(answer.text)?.[1])
      expect(bodyOf(answer).length).toBe(Math.floor(promised / 2))
      expect(answer.ended).toBe('end')
    },
  ],
  [
    { kind: 'not-json' },
    true,
    'faulted',
    (answer) => {
      expect(answer.text).toMatch(/content-type: application\/json/i)
      expect(() => jsonOf(answer)).toThrow()
    },
  ],
  [
    { kind: 'wrong-types' },
    true,
    'faulted',
    (answer) => {
      const contextSource = ['KNOWLEDGE_BASE']
      expect(jsonOf(answer)).toEqual({ conversationId: 42, message: null, status: true, contextSource })
    },
  ],
  [
    { kind: 'unknown-status', status: 'partial', contextSource: 'WEB' },
    true,
    'answered',
    (answer) => expect(jsonOf(answer)).toMatchObject({ status: 'partial', contextSource: 'WEB' }),
  ],
  [
    { kind: 'huge-body' },
    true,
    'answered',
    (answer) => {
      expect(bodyOf(answer).length).toBeGreaterThan(12_000_000)
      expect((jsonOf(answer) as { message: string }).message).toMatch(/^Install the VPN client/)
    },
  ],
  [
    { kind: 'gzip' },
    true,
    'answered',
    ({ text, bytes }) => {
      expect(text).toMatch(/content-encoding: gzip/i)
      const body = gunzipSync(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)).toString()
      expect(JSON.parse(body)).toMatchObject({ status: 'success' })
    },
  ],
]

test.each(table)('%j is seen, counted: %s', async (one, counted, outcome, see) => {
  const { url, apiKey, admin } = await startClient({ config: { faults: [one] } })
  const patienceMs = one.kind === 'hang' ? 600 : 30_000
  see(await sendRaw(url, assistRequest(apiKey, { message: 'How do I set up the VPN?' }), patienceMs))
  const calls = async () => (await admin('GET', '/sandbox/usage?detail=calls')).body.calls
  // Who gives up may be quicker than the sandbox reads.
  const known = [{ outcome, counted, fault: one.kind }]
  await expect.poll(calls, { timeout: 20_000 }).toMatchObject(known)
  expect((await calls())[0].wordsOut > 0).toBe(counted)
})

test('a fresh conversation opens in mid-thread, without an error', async () => {
  const { ask } = await startClient({
    config: { faults: [{ kind: 'fresh-conversation', when: { calls: [2] } }] },
  })
  const first = await ask({ message: 'How do I set up the VPN?' })
  const { conversationId } = first.body
  const lost = await ask({ message: 'What are its symptoms?', conversationId })
  expect(lost.status).toBe(200)
  expect(lost.body.conversationId).not.toBe(conversationId)
  expect(lost.body.contextSource).toBe('MODEL')
  const again = await ask({ message: 'What are its symptoms?', conversationId })
  expect(again.body).toMatchObject({ conversationId, contextSource: 'KNOWLEDGE_BASE' })
})

test('a client that gives up in the middle of the latency was counted', async () => {
  const { url, apiKey, admin } = await startClient({ config: { latency: { kind: 'constant', delay: '1h' } } })
  const { ended } = await sendRaw(url, assistRequest(apiKey, { message: 'VPN set up' }), 100)
  expect(ended).toBe('timeout')
  const total = async () => (await admin('GET', '/sandbox/usage')).body.total
  await expect.poll(total, { timeout: 20_000 }).toMatchObject({ calls: 1, counted: 1 })
})
