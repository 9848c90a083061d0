// Any Unicode character, for properties of texts. Same cases as fast-check's unit 'binary', without its table
// of a million characters.
import fc from 'fast-check'

const [FIRST_SURROGATE, SURROGATES] = [0xd800, 0x800]

/**
 * Each of the 1,112,064 code points that are not surrogates, with equal probability. fast-check builds a
 * table of all of them in every process, which takes a second and 115 MB, only to know which of its own texts
 * it can shrink.
 */
export const anyCodePoint: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
  (sign) => {
    if (typeof sign !== 'string' || !sign.isWellFormed()) throw new Error('not a character')
    const code = sign.codePointAt(0)
    if (code === undefined || String.fromCodePoint(code) !== sign) throw new Error('not a single character')
    return code < FIRST_SURROGATE ? code : code - SURROGATES
  },
)
