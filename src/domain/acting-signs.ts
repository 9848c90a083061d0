// Signs that would steer the display, or show as nothing: by their numbers instead, which only show.

/**
 * Controls but for tab and line ends, bidirectional embeddings, overrides and isolates, line and paragraph separators,
 * spaces and joiners without width, tag characters and halves of signs. The joiners U+200C and U+200D and the direction
 * marks stay: emoji, Indic and right-to-left scripts need them, and none of them reaches beyond its neighbours.
 */
const ACTING =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu

/** Whether a text may hold any: most texts are of signs that are looked at only once. */
// oxlint-disable-next-line no-control-regex
const SUSPECT = /[^\u0009\u000a\u000d -~\u00a0-\u200a\u200c-\u2027\u202f-\u205f\u2070-\ud7ff]/

/** `a[U+202E]b`: in one line of plain text, so that it is right in elements and attributes alike. */
export const showActing = (text: string): string =>
  SUSPECT.test(text) ? text.replaceAll(ACTING, (sign) => `[${nameOf(sign)}]`) : text

const nameOf = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
