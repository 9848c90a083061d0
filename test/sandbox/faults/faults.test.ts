// Each fault as a raw client sees it, and what the ledger says of the call.
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { faultSchema } from '../../../src/sandbox/faults.ts'
import { startClient } from '../client.ts'
import { assistRequest, sendRaw, type RawAnswer } from '../raw-client.ts'

type FaultInput = z.input<typeof faultSchema>

interface Seen {
  readonly fault: FaultInput
  readonly see: (answer: RawAnswer) => void
  readonly counted: boolean
  readonly outcome: 'answered' | 'faulted'
}

const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4)
const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])

const table: readonly Seen[] = [
  {
    fault: { kind: 'server-error', status: 503 },
    see: ({ text }) => {
      expect(statusOf(text)).toBe(503)
      expect(JSON.parse(bodyOf(text))).toMatchObject({ success: false, error: { code: 'SERVICE_FAILURE' } })
    },
    counted: true,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'server-error', stage: 'before' },
    see: ({ text }) => expect(statusOf(text)).toBe(500),
    counted: false,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'proxy-html', stage: 'before' },
    see: ({ text }) => {
      expect(statusOf(text)).toBe(502)
      expect(text).toMatch(/content-type: text\/html/i)
      expect(bodyOf(text)).toMatch(/^<html>/)
    },
    counted: false,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'proxy-html', status: 200 },
    see: ({ text }) => expect(statusOf(text)).toBe(200),
    counted: true,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'reset', stage: 'before' },
    see: ({ text, ended }) => expect([text, ended]).toEqual(['', 'ECONNRESET']),
    counted: false,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'reset', stage: 'after' },
    see: ({ text, ended }) => expect([text, ended]).toEqual(['', 'ECONNRESET']),
    counted: true,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'hang', stage: 'before' },
    see: ({ text, ended }) => expect([text, ended]).toEqual(['', 'timeout']),
    counted: false,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'hang' },
    see: ({ text, ended }) => expect([text, ended]).toEqual(['', 'timeout']),
    counted: true,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'refusal', status: 401 },
    see: ({ text }) => expect(statusOf(text)).toBe(401),
    counted: false,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'redirect', status: 308, location: 'https://elsewhere.example.com/' },
    see: ({ text }) => {
      expect(statusOf(text)).toBe(308)
      expect(text).toMatch(/location: https:\/\/elsewhere\.example\.com\/\r\n/i)
    },
    counted: false,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'drip', over: '300ms' },
    see: ({ text, spreadMs }) => {
      expect(JSON.parse(bodyOf(text))).toMatchObject({ status: 'success' })
      expect(spreadMs).toBeGreaterThan(200)
    },
    counted: true,
    outcome: 'answered',
  },
  {
    fault: { kind: 'truncated' },
    see: ({ text, ended }) => {
      const promised = Number(/content-length: (\d+)/i.exec(text)?.[1])
      expect(bodyOf(text).length).toBe(Math.floor(promised / 2))
      expect(ended).toBe('end')
    },
    counted: true,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'not-json' },
    see: ({ text }) => {
      expect(text).toMatch(/content-type: application\/json/i)
      expect(() => JSON.parse(bodyOf(text)) as unknown).toThrow()
    },
    counted: true,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'wrong-types' },
    see: ({ text }) => {
      expect(JSON.parse(bodyOf(text))).toEqual({
        conversationId: 42,
        message: null,
        status: true,
        contextSource: ['KNOWLEDGE_BASE'],
      })
    },
    counted: true,
    outcome: 'faulted',
  },
  {
    fault: { kind: 'unknown-status', status: 'partial', contextSource: 'WEB' },
    see: ({ text }) =>
      expect(JSON.parse(bodyOf(text))).toMatchObject({ status: 'partial', contextSource: 'WEB' }),
    counted: true,
    outcome: 'answered',
  },
  {
    fault: { kind: 'huge-body' },
    see: ({ text }) => {
      expect(bodyOf(text).length).toBeGreaterThan(12_000_000)
      expect((JSON.parse(bodyOf(text)) as { message: string }).message).toMatch(/^Install the VPN client/)
    },
    counted: true,
    outcome: 'answered',
  },
  {
    fault: { kind: 'gzip' },
    see: ({ text, bytes }) => {
      expect(text).toMatch(/content-encoding: gzip/i)
      const body = gunzipSync(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)).toString()
      expect(JSON.parse(body)).toMatchObject({ status: 'success' })
    },
    counted: true,
    outcome: 'answered',
  },
]

test.each(table)('$fault.kind ($fault.stage$fault.status) is seen, counted: $counted', async (row) => {
  const { url, apiKey, admin } = await startClient({ config: { faults: [row.fault] } })
  const patienceMs = row.fault.kind === 'hang' ? 600 : 30_000
  row.see(await sendRaw(url, assistRequest(apiKey, { message: 'How do I set up the VPN?' }), patienceMs))
  const calls = async () => (await admin('GET', '/sandbox/usage?detail=calls')).body.calls
  const known = [{ outcome: row.outcome, counted: row.counted, fault: row.fault.kind }]
  // Who gives up may be quicker than the sandbox reads.
  await expect.poll(calls, { timeout: 20_000 }).toMatchObject(known)
  expect((await calls())[0].wordsOut > 0).toBe(row.counted)
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
