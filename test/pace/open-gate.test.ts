// The gate of `--rate unlimited`: room, order, pauses, and its end.
import { expect, test } from 'vitest'
import { createLimiter } from '../../src/pace/create.ts'
import type { Limiter, Permit } from '../../src/pace/limiter.ts'
import { requestLeave } from '../../src/pace/request-leave.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

function openGate(concurrency: number) {
  const clock = new VirtualClock()
  return { clock, gate: createLimiter({ rate: { kind: 'unlimited' }, concurrency }, clock, () => 0.5) }
}
/** Asks for leave; names of those who got it are kept in order. */
function ask(gate: Limiter, name: string, got: Map<string, Permit | undefined>): () => void {
  return requestLeave(gate, (permit) => got.set(name, permit))
}

test('gives leave at once while there is room, then in order, one an answer', () => {
  const { gate } = openGate(2)
  const got = new Map<string, Permit | undefined>()
  for (const name of ['a', 'b', 'c', 'd', 'e']) ask(gate, name, got)
  expect([...got.keys()]).toEqual(['a', 'b'])
  expect(gate.state().inFlight).toBe(2)
  got.get('b')?.settle({ kind: 'accepted' })
  got.get('b')?.settle({ kind: 'accepted' })
  expect([...got.keys()]).toEqual(['a', 'b', 'c'])
  expect(gate.state().inFlight).toBe(2)
})

test('whoever gives up leaves his place to the next', () => {
  const { gate } = openGate(1)
  const got = new Map<string, Permit | undefined>()
  ask(gate, 'a', got)
  const giveUp = ask(gate, 'b', got)
  ask(gate, 'c', got)
  giveUp()
  got.get('a')?.settle({ kind: 'accepted' })
  expect([...got.keys()]).toEqual(['a', 'c'])
})

test('a refusal closes it for as long as the endpoint says, for everybody who waits', async () => {
  const { gate, clock } = openGate(2)
  const got = new Map<string, Permit | undefined>()
  ask(gate, 'a', got)
  got.get('a')?.settle({ kind: 'rateLimited', namedMs: 3000 })
  ask(gate, 'b', got)
  const later = gate.acquire(new AbortController().signal)
  expect([...got.keys()]).toEqual(['a'])
  expect((await clock.runUntil(later))?.grantedAt).toBe(3000)
  expect(got.get('b')?.grantedAt).toBe(3000)
})

test('after a refusal those who wait go few at a time', async () => {
  const { gate, clock } = openGate(50)
  const got = new Map<string, Permit | undefined>()
  ask(gate, 'first', got)
  got.get('first')?.settle({ kind: 'rateLimited', namedMs: 3000 })
  got.clear()
  for (let number = 0; number < 20; number += 1) ask(gate, `${number}`, got)
  expect(got.size).toBe(0)
  await clock.runUntil(clock.sleep(3000))
  expect([...got.keys()]).toEqual(['0', '1'])
  for (const name of ['0', '1']) got.get(name)?.settle({ kind: 'accepted' })
  expect([...got.keys()]).toEqual(['0', '1', '2', '3', '4', '5'])
})

test('its end is told to whoever waits, and to whoever comes after', async () => {
  const { gate } = openGate(1)
  const got = new Map<string, Permit | undefined>()
  ask(gate, 'a', got)
  ask(gate, 'b', got)
  const waiting = gate.acquire(new AbortController().signal)
  gate.close()
  ask(gate, 'c', got)
  expect([...got].map(([name, permit]) => [name, permit !== undefined])).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
  ])
  expect(await waiting).toBeUndefined()
})
