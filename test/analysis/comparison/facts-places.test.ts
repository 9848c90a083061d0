// Facts begin nowhere but at the places that are tried: trying every place finds no more.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { finderOf } from '../../../src/analysis/comparison/facts/find.ts'
import { type Places, placesOf } from '../../../src/analysis/comparison/facts/places.ts'
import { openingsOf } from '../../../src/analysis/comparison/facts/openings.ts'
import { RULES } from '../../../src/analysis/comparison/facts/rules.ts'
import { unifySigns } from '../../../src/analysis/grading/fold.ts'
import { anySign } from '../../support/any-sign.ts'
import { FACTS } from './facts-examples.ts'

/** Every place for every rule. */
function everywhere(text: string): Places {
  const at = Array.from({ length: text.length }, (_, offset) => offset).filter(
    (offset) => (text.codePointAt(offset - 1) ?? 0) < 0x1_0000,
  )
  return { at, bits: at.map(() => -1) }
}
const [quick, slow] = [finderOf(RULES), finderOf(RULES, everywhere)]

const pieces = [
  ...FACTS.map(([text]) => text),
  ...RULES.flatMap(({ where }) => where.words),
  ..."0 1 12 15 31 2026 1.200 03.11. 2026-11-03T : / - + ( ) . , @ % € $ £ _ # \n \0 x2 v2.3 0x80 A1 A-1 ab𐐀 𐐀n't 😀 \ud800 \udc00 \u0345 ٣ ä ÄB ß VPN 2FA can't N'T a@b.c .a@b.c mailto: www. http:// .de €5 -5 +49 dwnr. ZWEItausend".split(
    ' ',
  ),
]
const piece = fc.constantFrom(...pieces)
const text = fc
  .array(fc.tuple(piece, fc.constantFrom('', '', ' ', '-', '.', '\n')), { maxLength: 8 })
  .map((parts) => unifySigns(parts.flat().join('')))

describe('places', () => {
  test('no fact is lost', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: anySign }).map(unifySigns)), (one) => {
        expect(quick(one)).toEqual(slow(one))
      }),
      { numRuns: 3000 },
    )
  })
  // What chance seldom puts together: a word that goes on, a mark that is a letter where case does not matter.
  test.each(['dwnr. 12', 'DW12', '\u0345a@b.c', "x\u0345N'T", '2026-11-03Tmonday', 'www.'])('%j', (one) => {
    expect(slow(one)).not.toEqual([])
    expect(quick(one)).toEqual(slow(one))
  })
  test('are few in plain prose, which makes it quick', () => {
    const prose = 'Please open the settings, choose your account and confirm with the button. '.repeat(20)
    expect(placesOf(prose, openingsOf(new Map())).at).toEqual([])
    let tried = 0
    finderOf(RULES, (one, openings) => {
      const places = placesOf(one, openings)
      tried += places.at.length
      return places
    })(prose)
    expect(tried).toBeLessThan(prose.length / 20)
  })
})
