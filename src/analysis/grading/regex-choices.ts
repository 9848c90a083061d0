// The places in a regular expression where a matcher may go one way or another.

export interface Choices {
  /** Ways that do not depend on the text, multiplied: alternatives and optional signs. */
  readonly factor: number
  /** Signs repeated at will, each as the expression of its runs, with how often it may be repeated wherever it is. */
  readonly repeated: readonly { readonly run: RegExp; readonly mosts: readonly number[] }[]
  /** Steps of one way through the expression at most, runs apart. */
  readonly length: number
}

const TOKEN =
  /(?<open>\((?:\?(?::|=|!|<=|<!|<[^>=!]+>))?)|(?<close>\))|(?<bar>\|)|(?<edge>[$^]|\\[bB])|(?<atom>\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\[sSdDwWtnrfv]|\\[\^$\\.*+?()[\]{}|/]|[^\\()[\]{}|*+?^$])|(?<other>\\.)/suy
const QUANTIFIER = /(?:(?<sign>[*+?])|\{(?<least>\d+)(?<comma>,(?<most>\d*))?\})\??/y

/**
 * Undefined where the ways cannot be counted by reading along: repeated groups, back references, and what this
 * reader does not know. `source` is valid under the flags `iu`.
 */
export function readChoices(source: string): Choices | undefined {
  let [factor, length, place] = [1, 1, 0]
  /** By the sign. */
  const repeated = new Map<string, { run: RegExp; mosts: number[] }>()
  while (place < source.length) {
    const token = matchAt(TOKEN, source, place)
    if (token?.groups === undefined || token.groups['other'] !== undefined) return undefined
    place += token[0].length
    const quantifier = matchAt(QUANTIFIER, source, place)
    place += quantifier?.[0].length ?? 0
    length += 1
    if (token.groups['bar'] !== undefined) factor *= 2
    if (quantifier?.groups === undefined) continue
    const { atom } = token.groups
    if (atom === undefined) return undefined
    const { least, most } = readLimits(quantifier.groups)
    length += least
    if (most - least <= 1) factor *= 1 + most - least
    else {
      const known = repeated.get(atom) ?? { run: new RegExp(`(?:${atom})+`, 'giu'), mosts: [] }
      known.mosts.push(most - least)
      repeated.set(atom, known)
    }
  }
  return { factor, repeated: [...repeated.values()], length }
}

function readLimits({ sign, least, comma, most }: Record<string, string | undefined>): {
  least: number
  most: number
} {
  if (sign === '?') return { least: 0, most: 1 }
  if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: Infinity }
  const from = Number(least)
  if (comma === undefined) return { least: from, most: from }
  return { least: from, most: most === undefined || most === '' ? Infinity : Number(most) }
}

function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | undefined {
  pattern.lastIndex = place
  return pattern.exec(text) ?? undefined
}
