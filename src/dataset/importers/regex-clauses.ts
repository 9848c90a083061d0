// Several demands on one answer as one regular expression: `expect_regex` holds one.

export interface Clause {
  readonly pattern: string
  /** The answer must not match. */
  readonly isNot: boolean
  readonly from: 'start' | 'anywhere'
}

/** Looks ahead from the beginning of the answer, once a clause; a single plain one stays as it was written. */
export function joinClauses(clauses: readonly Clause[]): string {
  const [only] = clauses
  if (only === undefined) return ''
  if (clauses.length === 1 && !only.isNot) return only.from === 'start' ? `^${only.pattern}` : only.pattern
  // What a backreference counts must come first: the groups before it would shift it.
  const sorted = clauses.toSorted(
    (a, b) => Number(hasBackreference(b.pattern)) - Number(hasBackreference(a.pattern)),
  )
  return `^${sorted.map(lookAhead).join('')}`
}

const lookAhead = ({ pattern, isNot, from }: Clause): string =>
  `(?${isNot ? '!' : '='}${from === 'anywhere' ? String.raw`[\s\S]*` : ''}(?:${pattern}))`

/** Two expressions that count their groups, or name them, cannot become one. */
export const hasBackreference = (pattern: string): boolean =>
  /\\[1-9]|\\k<|\(\?</.test(pattern.replaceAll('\\\\', ''))

/**
 * The expression as flag `u` wants it, which our own are read with: there a backslash before a sign that needs none is an
 * error. What cannot be mended so comes back as it is, and is told of as every broken expression is.
 */
export function mendRegex(pattern: string): string {
  if (isRegex(pattern)) return pattern
  const mended = pattern.replaceAll(/\\([\s\S])/g, (escape, sign: string) =>
    /[\^$\\.*+?()[\]{}|/\w-]/.test(sign) && sign !== '_' ? escape : sign,
  )
  if (isRegex(mended)) return mended
  const bare = mended.replaceAll(/\\-(?![^[]*\])/g, '-')
  return isRegex(bare) ? bare : pattern
}

function isRegex(pattern: string): boolean {
  try {
    RegExp(pattern, 'iu')
    return true
  } catch {
    return false
  }
}
