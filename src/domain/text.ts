// Text rules that all rooms share: length, order, white space, control characters.

/** Cuts to `max` UTF-16 code units and adds an ellipsis. Never splits a surrogate pair. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`

/** Users and endpoints choose the key: to them, `constructor` and `__proto__` are names like any other. */
export const ownValue = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** UTF-16 code units give the order. */
export const compareTexts = (some: string, other: string): number =>
  some < other ? -1 : some > other ? 1 : 0

/** White space of any kind and length becomes one space. */
export const singleSpaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/**
 * Characters act that change how others look: control characters except tab and line ends, bidirectional
 * embeddings and overrides, separators, zero-width spaces, tag characters and lone surrogates. U+200C, U+200D
 * and the direction marks stay: emoji, Indic and right-to-left scripts need them.
 */
const ACTING =
  /(?![\t\n\r])[\p{Cc}\p{Cs}\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** A quick test that most texts fail. */
// oxlint-disable-next-line no-control-regex
const SUSPECT = /[^\u0009\u000a\u000d -~\u00a0-\u200a\u200c-\u2027\u202f-\u205f\u2070-\ud7ff]/

/** Writes `a[U+202E]b`: plain text on one line, safe in elements and attributes. */
export const showActing = (text: string): string =>
  SUSPECT.test(text) ? text.replaceAll(ACTING, (sign) => `[${nameOf(sign)}]`) : text

const nameOf = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A text ends so that did not fit into the cell of a workbook. */
export const CUT_MARK = ' […cut: the CSV file has all of it]'

// Spreadsheets do not show them and the reader of question sets rejects them, so Unicode's pictures replace
// them.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

/** Cells may hold tab, line feed and carriage return. */
export const pictureControls = (text: string): string =>
  text.replaceAll(CONTROL, (sign) => String.fromCodePoint(0x2400 + (sign.codePointAt(0) ?? 0)))

/** Spreadsheets run cells that begin like a formula. A leading quote prevents it. */
export function defuse(text: string): string {
  const cell = pictureControls(text)
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}

export const undoDefusing = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
