// Text of a report without what is typed in a terminal: the browser has none.
import type { Span, Text } from '../../report/document.ts'

/** Leaves out ` (--max-calls)`, and sentences that name an option. */
export const withoutOptions = (text: Text): readonly Span[] =>
  [text].flat().map((span): Span => {
    if (typeof span === 'string') return plain(span)
    return 'untrusted' in span ? { untrusted: plain(span.untrusted) } : span
  })

const plain = (text: string): string =>
  text.replaceAll(/ \(--[a-z-]+\)/g, '').replaceAll(/(?<=^|\.)[^.]* --[a-z-]+[^.]*\./g, '')
