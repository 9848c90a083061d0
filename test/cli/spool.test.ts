// Text kept beside a file until it is needed: it comes back as it was, and leaves nothing behind.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSpool } from '../../src/cli/spool.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

test('what was added comes back, again and again, whatever its signs and lengths', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer({ min: 60_000, max: 70_000 }).map((length) => '€'.repeat(length)),
  )
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      const spool = openSpool(join(folder, 'report.html'))
      for (const one of texts) spool.add(one)
      const [once, again] = [[...spool.pieces()].join(''), [...spool.pieces()].join('')]
      spool.add('more')
      const longer = [...spool.pieces()].join('')
      spool.remove()
      const whole = texts.join('').toWellFormed()
      expect([once, again, longer]).toEqual([whole, whole, `${whole}more`])
      expect(readdirSync(folder)).toEqual([])
    }),
    { numRuns: 50 },
  )
})
