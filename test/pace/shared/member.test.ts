// A member alone: what it says to its conductor, and which leave it takes.
import { expect, test } from 'vitest'
import { createMember, type Member } from '../../../src/pace/shared/member.ts'
import type { Status, ToConductor } from '../../../src/pace/shared/protocol.ts'
import { VALID_MS } from '../../../src/pace/shared/times.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const never = new AbortController().signal
const rules = { perSecond: undefined, concurrency: undefined, start: undefined, share: 1 }
const status: Status = {
  kind: 'status',
  term: '1:x',
  pace: 5,
  closure: undefined,
  processes: 3,
  concurrency: 64,
  learned: undefined,
  night: undefined,
  limit: undefined,
  cause: undefined,
  begun: '',
}

function begin(): { clock: VirtualClock; member: Member; said: ToConductor[] } {
  const clock = new VirtualClock()
  const member = createMember({ id: 'm', clock, rules })
  const said: ToConductor[] = []
  member.follow('1:x', (message) => said.push(message))
  return { clock, member, said }
}
const settled = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })
const grant = (sequence: number, answers: number, term = '1:x') =>
  ({ kind: 'grant', term, permit: `${term}:${sequence}`, sequence, answers }) as const

test('asks, takes the leave, reports once what came, and says what it holds', async () => {
  const { member, said } = begin()
  expect(said).toMatchObject([{ kind: 'beat', from: 'm', term: '1:x', number: 1, waiting: 0, held: [] }])
  const waiting = member.limiter.acquire(never)
  expect(said.at(-1)).toMatchObject({ kind: 'want', number: 2, waiting: 1, seen: 0 })
  member.receive(grant(1, 2))
  const permit = await waiting
  member.beat()
  expect(said.at(-1)).toMatchObject({ kind: 'beat', waiting: 0, seen: 1, held: ['1:x:1'] })
  expect(member.limiter.state().inFlight).toBe(1)
  permit?.settle({ kind: 'rateLimited', namedMs: 100 })
  permit?.settle({ kind: 'accepted' })
  const reports = said.filter(({ kind }) => kind === 'report')
  expect(reports).toMatchObject([{ permit: '1:x:1', observation: { kind: 'rateLimited', namedMs: 100 } }])
})

test('a leave that comes too late, or for no call, is given back; one of another conductor is none', async () => {
  const { clock, member, said } = begin()
  member.receive(grant(1, 1))
  expect(said.at(-1)).toMatchObject({ kind: 'report', permit: '1:x:1', observation: { kind: 'nothing' } })
  let isGranted = false
  void member.limiter.acquire(never).then(() => {
    isGranted = true
  })
  const asked = said.length
  clock.jump(VALID_MS + 1)
  member.receive(grant(2, asked))
  member.receive(grant(3, 99, '0:w'))
  await settled()
  expect(isGranted).toBe(false)
  expect(said.slice(asked)).toMatchObject([
    { kind: 'report', permit: '1:x:2', observation: { kind: 'nothing' } },
  ])
  member.beat()
  member.receive(grant(3, asked + 2))
  await settled()
  expect(isGranted).toBe(true)
})

test('a new conductor is told at once what waits and what is under way', async () => {
  const { member, said } = begin()
  const first = member.limiter.acquire(never)
  member.receive(grant(1, 2))
  await first
  void member.limiter.acquire(never)
  const told: ToConductor[] = []
  member.follow('2:y', (message) => told.push(message))
  expect(told).toMatchObject([{ kind: 'beat', term: '2:y', waiting: 1, seen: 0, held: ['1:x:1'] }])
  expect(said.filter(({ kind }) => kind === 'report')).toEqual([])
})

test('who is told to stop waits no longer, and the conductor hears of it', async () => {
  const { member, said } = begin()
  const stop = new AbortController()
  const waiting = member.limiter.acquire(stop.signal)
  stop.abort()
  expect(await waiting).toBeUndefined()
  expect(said.at(-1)).toMatchObject({ kind: 'want', waiting: 0 })
  const other = member.limiter.acquire(never)
  member.limiter.close()
  expect(await other).toBeUndefined()
  expect(await member.limiter.acquire(never)).toBeUndefined()
})

test('what the conductor tells is told on, in the time of this process', () => {
  const { clock, member } = begin()
  clock.jump(5000)
  const heard: unknown[] = []
  member.limiter.onChange(({ cause, closure, processes }) => heard.push({ cause, closure, processes }))
  member.receive(status)
  expect(heard).toEqual([])
  member.receive({ ...status, closure: { sinceMs: 100, forMs: 900 }, cause: '429' })
  expect(heard).toEqual([{ cause: '429', closure: { from: 4900, until: 5900 }, processes: 3 }])
  expect(member.limiter.state()).toMatchObject({ pace: 5, closure: { until: 5900 }, processes: 3 })
  clock.jump(901)
  expect(member.limiter.state().closure).toBeUndefined()
  member.receive({ ...status, term: '0:w', pace: 99 })
  expect(member.limiter.state().pace).toBe(5)
})
