// Hostile text made visible: signs that would steer the display or show as nothing become signs that only show.

/**
 * Controls but for tab and line ends, bidirectional embeddings, overrides and isolates, line and paragraph separators,
 * tag characters and halves of signs. Joiners and direction marks stay: emoji and right-to-left scripts need them.
 */
const ACTING =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}\p{Cs}]/gu

export interface VisiblePart {
  readonly kind: 'text' | 'sign'
  readonly text: string
}

/** In their order; signs as `U+202E`. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = []
  let from = 0
  for (const match of text.matchAll(ACTING)) {
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) })
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    parts.push({ kind: 'sign', text: `U+${code}` })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

/** For attributes and menus, which hold plain text. */
export const visibleText = (text: string): string =>
  visibleParts(text)
    .map((part) => (part.kind === 'text' ? part.text : `[${part.text}]`))
    .join('')
