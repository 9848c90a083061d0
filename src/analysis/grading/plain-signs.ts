// Which signs a text may hold and be spared the costly ways of folding: what becomes of each does not depend on its neighbours.

/** Bits of what is known of a sign, a UTF-16 code unit. */
const KNOWN = 1
/** Folding leaves it as it is, but for its case. */
export const STAYS = 2
/** Such a sign, and without regard to case it is its small form. */
export const FOLDS_TO_ITS_SMALL_FORM = 4
/** One other text stands for it, wherever it is. */
const REPLACED = 8

/** What becomes of a sign that stands alone. */
export interface SignForms {
  readonly unified: (sign: string) => string
  readonly folded: (sign: string) => string
}

export interface SignTable {
  /** Whether all signs of a text have the property. */
  readonly areAll: (text: string, property: number) => boolean
  /** The text with what stands for each of its signs; undefined where one of them depends on its neighbours. */
  readonly replaceAll: (text: string) => string | undefined
}

/** Each sign is looked at once in the life of a process. */
export function createSignTable({ unified, folded }: SignForms): SignTable {
  const table = new Uint8Array(0x1_0000)
  const replacements = new Map<number, string>()

  const classify = (code: number): number => {
    const sign = String.fromCharCode(code)
    if (dependsOnNeighbours(code, sign)) return KNOWN
    const plain = unified(sign)
    if (plain !== sign) {
      if (plain !== '' && dependsOnNeighbours(plain.charCodeAt(0), plain.charAt(0))) return KNOWN
      replacements.set(code, plain)
      return KNOWN | REPLACED
    }
    // White space is folded for all texts alike.
    const isSmall = /\s/.test(sign) || (code !== FINAL_SIGMAS_CAPITAL && folded(sign) === sign.toLowerCase())
    return KNOWN | STAYS | (isSmall ? FOLDS_TO_ITS_SMALL_FORM : 0)
  }
  const bitsOf = (code: number): number => {
    const known = table[code] ?? 0
    if (known !== 0) return known
    const bits = classify(code)
    table[code] = bits
    return bits
  }

  return {
    areAll: (text, property) => {
      for (let place = 0; place < text.length; place += 1)
        if ((bitsOf(text.charCodeAt(place)) & property) === 0) return false
      return true
    },
    replaceAll: (text) => {
      let [replaced, copied] = ['', 0]
      for (let place = 0; place < text.length; place += 1) {
        const code = text.charCodeAt(place)
        const bits = bitsOf(code)
        if ((bits & STAYS) !== 0) continue
        if ((bits & REPLACED) === 0) return undefined
        replaced += text.slice(copied, place) + (replacements.get(code) ?? '')
        copied = place + 1
      }
      return replaced + text.slice(copied)
    },
  }
}

/** Its small form is another one at the end of a word. */
const FINAL_SIGMAS_CAPITAL = 0x03a3

/** Half of a sign; a mark, which joins the letter before it; a part of a Korean syllable, which does so too. */
const dependsOnNeighbours = (code: number, sign: string): boolean =>
  (code >= 0xd800 && code <= 0xdfff) || (code >= 0x1100 && code <= 0x11ff) || /\p{M}/u.test(sign)
