// Which fault meets which call; each as a raw client sees it, and what the ledger says of the call.
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { chooseFault, faultSchema, isProcessed } from '../../src/sandbox/faults.ts'
import { seededDraw } from '../../src/sandbox/latency.ts'
import { startClient } from './client.ts'
import { assistRequest, sendRaw } from './raw-client.ts'

type FaultInput = z.input<typeof faultSchema>

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

const QUESTION = { message: 'How do I set up the VPN?' }
const bodyOf = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)

/** `seen`: what came back, and how the connection ended. */
test.each<[fault: FaultInput, counted: boolean, outcome: string, seen: RegExp]>([
  [{ kind: 'server-error', stage: 'before' }, false, 'faulted', /^HTTP\/1\.1 500 .*"success":false/s],
  [
    { kind: 'server-error', status: 503, retryAfter: 7 },
    true,
    'faulted',
    /^\S+ 503 .*retry-after: 7\r.*"SERVICE_FA/s,
  ],
  [{ kind: 'proxy-html', stage: 'before' }, false, 'faulted', /^\S+ 502 .*text\/html.*\r\n\r\n<html>/s],
  [{ kind: 'proxy-html', status: 200 }, true, 'faulted', /^\S+ 200 .*text\/html/s],
  [{ kind: 'reset', stage: 'before' }, false, 'faulted', /^ECONNRESET$/],
  [{ kind: 'reset', stage: 'after' }, true, 'faulted', /^ECONNRESET$/],
  [{ kind: 'hang', stage: 'before' }, false, 'faulted', /^timeout$/],
  [{ kind: 'hang' }, true, 'faulted', /^timeout$/],
  [{ kind: 'refusal', status: 401 }, false, 'faulted', /^\S+ 401 .*"success":false/s],
  [
    { kind: 'redirect', status: 308, location: 'https://a.example/' },
    false,
    'faulted',
    /^\S+ 308 .*: https:\/\/a\.example\/\r/s,
  ],
  [
    { kind: 'drip', over: '300ms' },
    true,
    'answered',
    /^\S+ 200 .*"message":"Install.*"status":"success".*}end$/s,
  ],
  [{ kind: 'truncated' }, true, 'faulted', /^\S+ 200 .*\r\n\r\n\{"conversationId[^}]*end$/s],
  [{ kind: 'not-json' }, true, 'faulted', /^\S+ 200 .*application\/json.*\r\n\r\nAnswer: Install/s],
  [
    { kind: 'wrong-types' },
    true,
    'faulted',
    /\{"conversationId":42,"message":null,"status":true,"contextSource":\["KNOW/,
  ],
  [
    { kind: 'unknown-status', status: 'partial', contextSource: 'WEB' },
    true,
    'answered',
    /"status":"partial",.*"WEB"/,
  ],
  [
    { kind: 'huge-body' },
    true,
    'answered',
    /^\S+ 200 .*content-length: 12000\d{3}\r.*"message":"Install.*}end$/is,
  ],
  [{ kind: 'gzip' }, true, 'answered', /^\S+ 200 .*content-encoding: gzip/s],
])('%j is seen, counted: %s, %s', async (one, counted, outcome, seen) => {
  const { url, apiKey, admin } = await startClient({ config: { faults: [one] } })
  const patienceMs = one.kind === 'hang' ? 600 : 30_000
  const { text, ended, bytes, spreadMs } = await sendRaw(url, assistRequest(apiKey, QUESTION), patienceMs)
  expect(text + ended).toMatch(seen)
  if (one.kind === 'drip') expect(spreadMs).toBeGreaterThan(200)
  if (one.kind === 'gzip') expect(gunzipSync(bodyOf(bytes)).toString()).toMatch(/^\{.*"success".*\}$/)
  if (one.kind === 'truncated')
    expect(bodyOf(bytes).length).toBe(Math.floor(Number(/content-length: (\d+)/i.exec(text)?.[1]) / 2))
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

test('a call whose client gave up during the latency was counted', async () => {
  const { url, apiKey, admin } = await startClient({ config: { latency: { kind: 'constant', delay: '1h' } } })
  const { ended } = await sendRaw(url, assistRequest(apiKey, { message: 'VPN set up' }), 100)
  expect(ended).toBe('timeout')
  const total = async () => (await admin('GET', '/sandbox/usage')).body.total
  await expect.poll(total, { timeout: 20_000 }).toMatchObject({ calls: 1, counted: 1 })
})
