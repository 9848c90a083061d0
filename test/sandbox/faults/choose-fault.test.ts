// Which fault strikes which call: by rate, message, script, organization; seeded.
import { describe, expect, test } from 'vitest'
import { chooseFault, faultSchema } from '../../../src/sandbox/faults.ts'
import { seededDraw } from '../../../src/sandbox/latency.ts'

const fault = (when: unknown, kind = 'reset') => faultSchema.parse({ kind, when })
const call = (number: number, message = 'hello', organization = 'acme') => ({ number, message, organization })
const struck = (faults: Parameters<typeof chooseFault>[0], calls: number, seed = 1): number[] =>
  Array.from({ length: calls }, (_, index) => index + 1).filter(
    (number) => chooseFault(faults, call(number), seededDraw(seed)) !== undefined,
  )

describe('when', () => {
  test('nothing is said, every call', () => {
    expect(struck([faultSchema.parse({ kind: 'reset' })], 3)).toEqual([1, 2, 3])
  })
  test('a script says so, by number', () => {
    expect(struck([fault({ calls: [2, 5] })], 6)).toEqual([2, 5])
  })
  test('it is every nth call', () => {
    expect(struck([fault({ every: 3 })], 10)).toEqual([3, 6, 9])
  })
  test('the message matches, whatever its case', () => {
    const faults = [fault({ message: '^vpn|printer' })]
    const draw = seededDraw(1)
    expect(chooseFault(faults, call(1, 'My PRINTER burns'), draw)?.kind).toBe('reset')
    expect(chooseFault(faults, call(2, 'my vpn'), draw)).toBeUndefined()
  })
  test('the organization is the one', () => {
    const faults = [fault({ organization: 'globex' })]
    expect(chooseFault(faults, call(1), seededDraw(1))).toBeUndefined()
    expect(chooseFault(faults, call(1, 'hello', 'globex'), seededDraw(1))?.kind).toBe('reset')
  })
  test('all that is said must hold', () => {
    expect(struck([fault({ every: 2, calls: [2, 3] })], 6)).toEqual([2])
  })
  test('several would, the first in the list strikes', () => {
    const faults = [fault({ calls: [2] }, 'hang'), fault({}, 'reset')]
    const kinds = [1, 2].map((number) => chooseFault(faults, call(number), seededDraw(1))?.kind)
    expect(kinds).toEqual(['reset', 'hang'])
  })
})

describe('by rate', () => {
  test('the share is kept', () => {
    const count = struck([fault({ rate: 0.1 })], 20_000).length
    expect(count).toBeGreaterThan(1850)
    expect(count).toBeLessThan(2150)
  })
  test('0 never and 1 always', () => {
    expect(struck([fault({ rate: 0 })], 1000)).toEqual([])
    expect(struck([fault({ rate: 1 })], 1000)).toHaveLength(1000)
  })
  test('the same seed strikes the same calls, another seed others', () => {
    const faults = [fault({ rate: 0.2 })]
    expect(struck(faults, 200, 7)).toEqual(struck(faults, 200, 7))
    expect(struck(faults, 200, 7)).not.toEqual(struck(faults, 200, 8))
  })
  test('two faults strike independently of each other', () => {
    const both = [fault({ rate: 0.5 }, 'reset'), fault({ rate: 0.5 }, 'hang')]
    expect(struck(both, 10_000).length / 10_000).toBeCloseTo(0.75, 1)
  })
})

test('a proxy that answers 200 cannot have spared the assistant', () => {
  expect(faultSchema.safeParse({ kind: 'proxy-html', status: 200, stage: 'before' }).success).toBe(false)
  expect(faultSchema.safeParse({ kind: 'proxy-html', status: 200 }).success).toBe(true)
})
