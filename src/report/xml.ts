// Text made safe for XML 1.0, and for a log that prints the file.

// What XML 1.0 cannot hold (https://www.w3.org/TR/xml/#charsets), and what it can but acts on a terminal or turns the
// reading direction: C1 controls, bidirectional overrides and isolates.
// oxlint-disable-next-line no-control-regex
const REMOVED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

/**
 * Text content. Characters that XML cannot hold are removed, lone surrogates become U+FFFD, line ends become LF.
 * Logging commands that count anywhere in a line (`##[…`, `##vso[…`, `##teamcity[…`) are broken up; those that count at its
 * beginning (`::…`) are the caller's to keep from there.
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(REMOVED, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/##(?=[a-z]*\[)/gi, '# #')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** The value of an attribute between double quotes: one line. */
export const xmlAttribute = (text: string): string => xmlText(oneLine(text)).replaceAll('"', '&quot;')

/** White space of any kind and length becomes one space. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** At most so many UTF-16 units, and how long it was. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return `${kept}… (${text.length} characters)`
}
