// Times as exports write them, and the zones of those that name none.
import { describe, expect, test } from 'vitest'
import { parseTime } from '../../../src/dataset/ledger/time.ts'
import { findZone } from '../../../src/dataset/ledger/zone.ts'

const [MS, SECOND, MINUTE, HOUR, DAY] = [1, 1000, 60_000, 3_600_000, 86_400_000]
const at = (iso: string): number => Date.parse(iso)

describe('a time', () => {
  test.each([
    ['2026-11-21T17:55:23.456Z', '2026-11-21T17:55:23.456Z', 0, MS],
    ['2026-11-21T17:55:23,456789+01:00', '2026-11-21T17:55:23.456Z', 60, MS],
    ['2026-11-21 17:55:23', '2026-11-21T17:55:23Z', undefined, SECOND],
    ['2026-11-21 17:55:23 UTC', '2026-11-21T17:55:23Z', 0, SECOND],
    ['2026-11-21 17:55:23 -0530', '2026-11-21T17:55:23Z', -330, SECOND],
    ['2026-11-21 17:55', '2026-11-21T17:55:00Z', undefined, MINUTE],
    ['2026-11-21T17', '2026-11-21T17:00:00Z', undefined, HOUR],
    ['2026-11-21 7', '2026-11-21T07:00:00Z', undefined, HOUR],
    ['2026-11-21', '2026-11-21T00:00:00Z', undefined, DAY],
    ['20261121T175523Z', '2026-11-21T17:55:23Z', 0, SECOND],
    ['20261121', '2026-11-21T00:00:00Z', undefined, DAY],
    ['2026/11/21 17:55:23', '2026-11-21T17:55:23Z', undefined, SECOND],
    ['21.11.2026 17:55:23', '2026-11-21T17:55:23Z', undefined, SECOND],
    ['21.11.2026, 17:55', '2026-11-21T17:55:00Z', undefined, MINUTE],
    ['11/21/2026 05:55:23 PM', '2026-11-21T17:55:23Z', undefined, SECOND],
    ['11/21/2026 12:00 am', '2026-11-21T00:00:00Z', undefined, MINUTE],
    ['21/11/2026 17:55', '2026-11-21T17:55:00Z', undefined, MINUTE],
    ['Nov 21, 2026 5:55:23 PM', '2026-11-21T17:55:23Z', undefined, SECOND],
    ['Sat, 21 Nov 2026 17:55:23 GMT', '2026-11-21T17:55:23Z', 0, SECOND],
    [
      'Sat Nov 21 2026 17:55:23 GMT+0100 (Central European Standard Time)',
      '2026-11-21T17:55:23Z',
      60,
      SECOND,
    ],
    ['1795283723', '2026-11-21T17:55:23Z', 0, SECOND],
    ['1795283723.456', '2026-11-21T17:55:23.456Z', 0, MS],
    ['1795283723456', '2026-11-21T17:55:23.456Z', 0, MS],
    ['1795283723456789', '2026-11-21T17:55:23.457Z', 0, MS],
    ['1795283723456000000', '2026-11-21T17:55:23.456Z', 0, MS],
    ['46347', '2026-11-21T00:00:00Z', undefined, DAY],
    ['46347.746793981', '2026-11-21T17:55:23Z', undefined, SECOND],
  ])('%s', (text, local, offset, step) => {
    expect(parseTime(text)).toMatchObject({ local: at(local), offset, step })
  })

  test.each([
    '',
    'Total',
    '2026-13-01',
    '2026-02-30',
    '12',
    '123456',
    '2026-11-21 25:00',
    '2026-11',
    '1.2.3',
  ])('is none: %s', (text) => {
    expect(parseTime(text)).toBeUndefined()
  })

  test('of numbers alone may have its month first', () => {
    expect(parseTime('11/12/2026')).toMatchObject({ local: at('2026-12-11'), swapped: at('2026-11-12') })
    expect(parseTime('11.12.2026')).toMatchObject({ local: at('2026-12-11'), swapped: undefined })
    expect(parseTime('11/11/2026')).toMatchObject({ swapped: undefined })
  })
})

describe('a zone', () => {
  test.each([
    ['UTC', '2026-07-01T12:00:00Z', '2026-07-01T12:00:00Z'],
    ['+05:30', '2026-07-01T12:00:00Z', '2026-07-01T06:30:00Z'],
    ['UTC-3', '2026-07-01T12:00:00Z', '2026-07-01T15:00:00Z'],
    ['Europe/Berlin', '2026-07-01T12:00:00Z', '2026-07-01T10:00:00Z'],
    ['Europe/Berlin', '2026-12-01T12:00:00Z', '2026-12-01T11:00:00Z'],
    // The clocks go back on 25 October 2026 at 3:00 and show 2:30 twice; the first is summer time.
    ['Europe/Berlin', '2026-10-25T02:30:00Z', '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '2026-10-25T03:30:00Z', '2026-10-25T02:30:00Z'],
    // 2:30 does not exist on 29 March.
    ['Europe/Berlin', '2026-03-29T02:30:00Z', '2026-03-29T01:30:00Z'],
    ['America/New_York', '2026-11-21T17:00:00Z', '2026-11-21T22:00:00Z'],
  ])('%s shows %s at %s', (name, local, utc) => {
    expect(new Date(findZone(name)?.toUtc(at(local)) ?? 0).toISOString()).toBe(new Date(utc).toISOString())
  })

  test('that shows a time twice says so', () => {
    const zone = findZone('Europe/Berlin')
    expect([zone?.isTwice(at('2026-10-25T02:30:00Z')), zone?.isTwice(at('2026-10-25T04:00:00Z'))]).toEqual([
      true,
      false,
    ])
  })

  test.each(['Mars/Olympus', '', '+1:2:3'])('is none: %s', (name) => {
    expect(findZone(name)).toBeUndefined()
  })
})
