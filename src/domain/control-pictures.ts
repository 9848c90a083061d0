// Control characters as our CSV files hold them: by their pictures.

// No spreadsheet shows them, and no reader of question sets takes them: shown by Unicode's pictures of them.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

/** All but tab, line feed and carriage return, which cells may hold. */
export const pictureControls = (text: string): string =>
  text.replaceAll(CONTROL, (sign) => String.fromCodePoint(0x2400 + (sign.codePointAt(0) ?? 0)))
