// What a process says when Redis is lost, and when it is back.
import { expect, test } from 'vitest'
import { createMember } from '../../../src/pace/shared/member.ts'
import { createOutage } from '../../../src/pace/shared/outage.ts'
import type { Rules, Status } from '../../../src/pace/shared/protocol.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const rules: Rules = { perSecond: undefined, concurrency: undefined, start: undefined, share: 1 }
const last: Status = {
  kind: 'status',
  term: '1:a',
  pace: 5.41,
  closure: undefined,
  processes: 2,
  concurrency: 10,
  learned: undefined,
  night: undefined,
  limit: undefined,
  cause: undefined,
  begun: '',
}

test.each<[Partial<Status>, string]>([
  [{}, '(5.41/s for 2 processes): 2.71/s'],
  [{ pace: 9, processes: 3 }, '(9/s for 3 processes): 3/s'],
  [{ pace: 4, processes: 1 }, '(4/s for 1 process): 4/s'],
])('alone, it says at which pace it goes on itself: %j', (told, end) => {
  const said: string[] = []
  const clock = new VirtualClock()
  const outage = createOutage(createMember({ id: 'a', clock, rules }), {
    clock,
    random: Math.random,
    stopsWhenLost: false,
    onLost: (words) => said.push(words),
    onBack: (words) => said.push(words),
  })
  outage.begin({ ...last, ...told })
  outage.end()
  expect(said).toEqual([
    `Redis is lost: this process goes on alone, at its fair part of the last pace ${end}`,
    'Redis is back: the limit is shared again',
  ])
})

test('who listens for changes of pace is told with the pace that it goes on at, and then the shared one', async () => {
  const clock = new VirtualClock()
  const member = createMember({ id: 'a', clock, rules })
  const told: [cause: string, pace: number | null, processes: number | undefined][] = []
  member.limiter.onChange(({ cause, pace, processes }) => told.push([cause.slice(0, 13), pace, processes]))
  member.follow(last.term, () => undefined)
  member.receive({ ...last, pace: 10 })
  const outage = createOutage(member, {
    clock,
    random: Math.random,
    stopsWhenLost: false,
    onLost: () => undefined,
    onBack: () => undefined,
  })
  outage.begin({ ...last, pace: 10 })
  await clock.runUntil(clock.sleep(100))
  outage.end()
  member.follow(last.term, () => undefined)
  member.receive({ ...last, pace: 9 })
  expect(told).toEqual([
    ['Redis is lost', 4.95, 1],
    ['Redis is back', 9, 2],
  ])
})
