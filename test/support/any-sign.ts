// Any sign of Unicode, for the laws of texts: the cases of fast-check's unit 'binary', without its table of a million signs.
import fc from 'fast-check'

const [FIRST_SURROGATE, SURROGATES] = [0xd800, 0x800]

/**
 * Each of the 1,112,064 code points that are no surrogates, equally often. fast-check makes a table of all of them in every process,
 * which takes a second and 115 MB, only to tell which texts of its own it can shrink.
 */
export const anySign: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
  (sign) => {
    if (typeof sign !== 'string' || !sign.isWellFormed()) throw new Error('no sign')
    const code = sign.codePointAt(0)
    if (code === undefined || String.fromCodePoint(code) !== sign) throw new Error('not one sign')
    return code < FIRST_SURROGATE ? code : code - SURROGATES
  },
)
