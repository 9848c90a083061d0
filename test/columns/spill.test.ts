// What does not fit into memory comes back from the disk as it was, and leaves nothing behind.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { Spill, SpillError } from '../../src/columns/spill.ts'
import { openWindows } from '../../src/columns/windows.ts'
import { anySign } from '../support/any-sign.ts'

const folder = mkdtempSync(join(tmpdir(), 'assist-harness-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a spill', () => {
  test('law: gives every value back, held or not, in any order', () => {
    const value = fc.record({
      text: fc.string({ unit: anySign, maxLength: 40 }),
      list: fc.array(fc.integer()),
    })
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1 }),
        fc.nat(5),
        fc.infiniteStream(fc.nat()),
        (values, most, looks) => {
          const spill = new Spill<(typeof values)[number]>(most)
          try {
            for (const [place, one] of values.entries()) {
              spill.push(one)
              const look = (looks.next().value ?? 0) % (place + 1)
              expect(spill.at(look)).toEqual(values[look])
            }
            expect(spill.length).toBe(values.length)
            expect(spill.isHeld).toBe(values.length <= most)
          } finally {
            spill.close()
          }
        },
      ),
    )
  })

  test('gives back more than it writes at once, and values longer than it reads at once', () => {
    const spill = new Spill<string>(0)
    const texts = Array.from({ length: 400 }, (_, place) => `${place} ${'ä'.repeat((place * 997) % 50_000)}`)
    for (const text of texts) spill.push(text)
    for (const [place, text] of texts.entries()) expect(spill.at(place)).toBe(text)
    for (const place of [399, 0, 7, 250, 7]) expect(spill.at(place)).toBe(texts[place])
    spill.close()
  })

  test('has no name in the folder once it is open, and touches no disk before', () => {
    vi.stubEnv('TMPDIR', folder)
    const spill = new Spill<number>(2)
    for (const number of [1, 2, 3]) spill.push(number)
    expect(spill.at(2)).toBe(3)
    expect(readdirSync(folder)).toEqual([])
    spill.close()
    vi.unstubAllEnvs()
  })

  test('says what to do where the temporary folder takes nothing', () => {
    const gone = join(folder, 'gone')
    mkdirSync(gone)
    vi.stubEnv('TMPDIR', gone)
    rmSync(gone, { recursive: true })
    const spill = new Spill<number>(0)
    spill.push(1)
    expect(() => spill.at(0)).toThrow(SpillError)
    expect(() => spill.at(0)).toThrow('TMPDIR')
    vi.unstubAllEnvs()
  })

  test('knows no value that it was not given', () => {
    const spill = new Spill<number>(1)
    spill.push(5)
    expect(() => spill.at(1)).toThrow(RangeError)
    expect(() => spill.at(-1)).toThrow(RangeError)
  })
})

test('law: windows give any piece of a file, as far as it goes', () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, place) => 97 + (place % 23)))
  const windows = openWindows((buffer, offset) => bytes.copy(buffer, 0, Math.min(offset, bytes.length)))
  fc.assert(
    fc.property(fc.nat(310_000), fc.nat(100_000), (offset, length) => {
      expect(windows.text(offset, length)).toBe(bytes.toString('utf8', offset, offset + length))
    }),
  )
})
