// What a command says on a terminal, as a page of a terminal's look.
const LINE_HEIGHT = 21

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The page is as wide as the longest line. */
export function terminalPage(words: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #1b1f24; color: #d8dee4; padding: 18px 24px; width: max-content }
    pre { margin: 0; font: 14px/${LINE_HEIGHT}px "DejaVu Sans Mono", monospace }
  </style><pre>${escape(words)}</pre>`
}
