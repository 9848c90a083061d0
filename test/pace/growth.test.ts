// How the pace grows: the ramp, the plateau around the capacity, the steps beyond it.
import { describe, expect, test } from 'vitest'
import { grow, type Growth, type Plateau } from '../../src/pace/growth.ts'

const plateau = (more: Partial<Plateau> = {}): Plateau => ({
  kind: 'plateau',
  capacity: 10,
  length: 100,
  since: 0,
  returnTo: 0,
  sends: 0,
  stepSends: 0,
  ...more,
})

describe('the ramp', () => {
  test('doubles at the fifth call, then after five calls and 0.7 s', () => {
    const ramp: Growth = { kind: 'ramp', sends: 0, since: null }
    const paces = [0, 250, 500, 750, 1000, 1125, 1250, 1375, 1500, 1625, 1750].map((at) => grow(ramp, 4, at))
    expect(paces).toEqual([4, 4, 4, 4, 8, 4, 4, 4, 4, 4, 8])
  })

  test('does not trust a pace that was not used', () => {
    const ramp: Growth = { kind: 'ramp', sends: 4, since: 0 }
    expect(grow(ramp, 64, 4000)).toBe(64)
  })
})

describe('the plateau', () => {
  test('rises from 3 % below the capacity, is flat at it, and 3 % above after twice its length', () => {
    const growth = plateau()
    const paces = Array.from({ length: 200 }, () => grow(growth, 9.7, 0))
    expect(paces[0]).toBeCloseTo(9.7, 1)
    expect(paces[49]).toBeCloseTo(10 * (1 - 0.03 / 8), 6)
    expect(paces[99]).toBeCloseTo(10, 6)
    expect(paces[199]).toBeCloseTo(10.3, 6)
    expect(paces.every((pace, place) => place === 0 || pace >= (paces[place - 1] ?? 0))).toBe(true)
  })

  test('steps up by 10 % beyond 5 % above, by 20 % after two quiet minutes', () => {
    const growth = plateau({ sends: 1000 })
    let pace = 10
    for (let call = 0; call < 50; call += 1) pace = grow(growth, pace, 1000)
    expect(pace).toBeCloseTo(10.5 * 1.1, 6)
    for (let call = 0; call < 50; call += 1) pace = grow(growth, pace, 125_000)
    expect(pace).toBeCloseTo(10.5 * 1.1 * 1.2, 6)
  })

  test('is passed by time alone where calls are few', () => {
    const growth = plateau({ length: 10_000 })
    expect(grow(growth, 10, 360_000)).toBeCloseTo(10.3, 1)
  })

  test('comes back quickly where the wait that was named need not have been', () => {
    const growth = plateau({ capacity: 2, returnTo: 8 })
    let pace = 2
    const paces = Array.from({ length: 24 }, () => (pace = grow(growth, pace, 0)))
    expect([paces[4], paces[5], paces[11], paces[23]]).toEqual([2, 3, 4.5, 8])
    expect(growth.capacity).toBe(8)
  })
})
