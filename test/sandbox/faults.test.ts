// Protects which fault applies to which call. scenarios/faults.ts covers the effect of each on a run and the
// ledger.
import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { chooseFault, faultSchema, isProcessed } from '../../src/sandbox/faults.ts'
import { seededDraw } from '../../src/sandbox/latency.ts'
import { startClient, VPN } from './client.ts'

const fault = (when: unknown, kind = 'reset') => faultSchema.parse({ kind, when })
const matchingCalls = (faults: Parameters<typeof chooseFault>[0], calls: number, seed = 1): number[] =>
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
])('%j applies to the calls %j of six', (when, numbers) => {
  expect(matchingCalls([fault(when)], 6)).toEqual(numbers)
})

test('of several matching faults the first in the list applies', () => {
  const faults = [fault({ calls: [2] }, 'hang'), fault({}, 'reset')]
  expect([1, 2].map((number) => chooseFault(faults, number, '', seededDraw(1))?.kind)).toEqual([
    'reset',
    'hang',
  ])
})

test('a rate applies to its share of calls, and two rates are independent', () => {
  expect(matchingCalls([fault({ rate: 0.1 })], 20_000).length / 2000).toBeCloseTo(1, 0)
  const both = [fault({ rate: 0.5 }, 'reset'), fault({ rate: 0.5 }, 'hang')]
  expect(matchingCalls(both, 10_000).length / 10_000).toBeCloseTo(0.75, 1)
})
test('the same seed picks the same calls, another seed others', () => {
  const faults = [fault({ rate: 0.2 })]
  expect(matchingCalls(faults, 200, 7)).toEqual(matchingCalls(faults, 200, 7))
  expect(matchingCalls(faults, 200, 7)).not.toEqual(matchingCalls(faults, 200, 8))
})

test.each([
  [200, 'before', true],
  [302, 'after', false],
  [403, 'after', false],
  [502, 'before', false],
  [502, 'after', true],
])('a proxy page with status %i, %s the assistant, counts as processed: %s', (status, stage, isCounted) => {
  expect(isProcessed(faultSchema.parse({ kind: 'proxy-html', status, stage }))).toBe(isCounted)
})

test('a call that its client aborts during the latency is counted', async () => {
  const { url, apiKey, admin } = await startClient({ config: { latency: { kind: 'constant', delay: '1h' } } })
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const call = request(`${url}/api/v1/assist`, { method: 'POST', headers })
  call.on('error', () => undefined)
  call.end(JSON.stringify({ message: VPN }))
  await once(call, 'finish')
  // Answered behind it: the call has arrived.
  await admin('GET', '/sandbox/usage')
  call.destroy()
  const total = async () => (await admin('GET', '/sandbox/usage')).body.total
  await expect.poll(total, { timeout: 20_000 }).toMatchObject({ calls: 1, counted: 1 })
})
