// Lines that fit: no wider than they may be, and without a word lost.
import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { fit, wrap } from '../../src/report/wrap.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀', ' ', '\u0301', '👩‍💻'), maxLength: 200 })

test('a cut text is no wider than it may be, and says that it was cut', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 60 }), (long, columns) => {
      const cut = fit(long, columns)
      expect(stringWidth(cut)).toBeLessThanOrEqual(columns)
      if (cut !== long) expect(cut.endsWith('…')).toBe(true)
      if (stringWidth(long) > columns) expect(cut).not.toBe(long)
    }),
  )
})

test('a sign with any number of marks on it is cut, too', () => {
  expect(fit(`a${'\u0301'.repeat(100_000)}`, 10).length).toBeLessThanOrEqual(201)
})

test('a wrapped text keeps its words and its width', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('', '    '), (long, indent) => {
      const lines = wrap(long, indent, 40)
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(40)
      for (const line of lines.slice(1)) expect(line.startsWith(indent)).toBe(true)
      const words = long.split(/\s+/).filter(Boolean)
      if (words.every((word) => stringWidth(word) <= 36))
        expect(lines.join(' ').split(/\s+/).filter(Boolean)).toEqual(words)
    }),
  )
})
