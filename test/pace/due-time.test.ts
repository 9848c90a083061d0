// When the next call is due: evenly, and never in a burst.
import { describe, expect, test } from 'vitest'
import { createDueTime } from '../../src/pace/due-time.ts'

const SLOT = 100
const KEPT = { isKept: true, isEager: false }
const FREE = { isKept: false, isEager: false }
const none = { count: () => 0 }

describe('after a call', () => {
  test.each([
    // A call, so many milliseconds after it was due; the next one is due so long after the call.
    ['in time, the next is a slot later', FREE, 0, 100],
    ['a little late, that is made good', FREE, 30, 70],
    ['very late, half a slot is made good', FREE, 5000, 50],
    ['late at a known rate, nothing is made good', KEPT, 30, 100],
  ])('%s', (_, rules, lateMs, nextMs) => {
    const due = createDueTime(none)
    due.onSend(1000, SLOT, rules)
    const at = 1000 + SLOT + lateMs
    expect(due.onSend(at, SLOT, rules)).toBe(lateMs < SLOT)
    expect(due.nextAt).toBe(at + nextMs)
  })
})

test('what is owed is made good call by call, and only where no promise is broken by it', () => {
  const due = createDueTime(none)
  due.open(1000, SLOT, 30)
  expect(due.nextAt).toBe(1050)
  due.onSend(1050, SLOT, FREE)
  expect(due.nextAt).toBe(1150)
  due.onSend(1150, SLOT, { ...FREE, isEager: true })
  expect(due.nextAt).toBe(1230)
  due.onSend(1230, SLOT, { ...FREE, isEager: true })
  expect(due.nextAt).toBe(1320)
  due.onSend(1320, SLOT, { ...FREE, isEager: true })
  expect(due.nextAt).toBe(1420)
})

test('what was sent faster is paid back, and nothing is ever due sooner for it', () => {
  const due = createDueTime({ count: (from) => (from === 500 ? 7 : 0) })
  due.payBack(500, SLOT)
  expect(due.nextAt).toBe(1200)
  due.payBack(900, SLOT)
  expect(due.nextAt).toBe(1200)
  due.holdBack(1150, SLOT)
  expect(due.nextAt).toBe(1250)
})
