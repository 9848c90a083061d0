// Text from elsewhere made safe to print: what would act is made visible instead.

// C0 and C1 controls, bidirectional overrides and isolates, line and paragraph separators, invisible marks.
// oxlint-disable-next-line no-control-regex
const ACTING = /[\u0000-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * For a terminal or log: one line, no escape sequences. GitHub's workflow commands do not parse: `::…` counts only
 * where a line begins, `##[…` anywhere.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n|\r|\n/g, ' ⏎ ')
    .replaceAll(ACTING, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(/^\s*::/, ': :')
    .replaceAll('##[', '# #[')
}

/**
 * For a table cell or list item in Markdown: no markup, no HTML, no links, no formulas. GitHub looks for mentions and
 * references to issues in the text that comes out, so escaping does not stop them; an invisible space does.
 */
export function plainMarkdown(text: string): string {
  return visible(text)
    .trim()
    .replaceAll(/[\\`*_[\]|~$]/g, String.raw`\$&`)
    .replace(/^(?=[#+-])/, '\\')
    .replace(/^(\d+)(?=[.)](\s|$))/, '$1\\')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;&#8203;')
    .replaceAll(/(#|\bGH-)(?=\d)/gi, (sign, _, place: number, whole: string) =>
      sign === '#' && whole[place - 1] === '&' ? sign : `${sign}&#8203;`,
    )
    .replaceAll(/(https?|ftp)(?=:)/gi, '$1&#8203;')
    .replaceAll(/(www)(?=\.)/gi, '$1&#8203;')
}

/** Made for the first long text: the first segmenter of a process takes 10 ms. */
let segmenter: Intl.Segmenter | undefined

/** A long text cut to so many signs (grapheme clusters) for a line; that it was cut is said by the ellipsis. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const signs: string[] = []
  for (const sign of signsOf(text.slice(0, 20 * most))) {
    if (signs.length === most) return `${signs.slice(0, most - 1).join('')}…`
    signs.push(sign)
  }
  return text
}

/** A long path cut to so many signs: its end tells it from others. */
export function shortenPath(path: string, most: number): string {
  if (path.length <= most) return path
  const signs = [...signsOf(path.slice(-20 * most))]
  return signs.length <= most ? path : `…${signs.slice(1 - most).join('')}`
}

function* signsOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}
