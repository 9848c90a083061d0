// Leaves out what is code in MDX, so that its text reads as Markdown.

// Bounded, for linear time.
const IMPORT = /^import\s[^;'"]{0,2000}['"][^'"\n]*['"];?[ \t]*$/gm
const EXPORT = /^export\s(?:.+\n)*.*$/gm
const COMMENT = /\{\/\*[^]{0,4000}?\*\/\}/g
const VALUE = String.raw`"[^"]{0,2000}"|'[^']{0,2000}'|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}`
/** The names of components begin with a capital. */
const TAG = new RegExp(String.raw`</?(?:[A-Z][\w.]*(?:\s(?:[^<>{}"']|${VALUE}){0,2000})?)?>`, 'g')

/** Imports, exports, comments and the tags of components go; what stands between tags, and in code, stays. */
export function markdownOfMdx(text: string): string {
  const pieces: { isCode: boolean; lines: string[] }[] = [{ isCode: false, lines: [] }]
  let fence = ''
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^\s*(```|~~~)/.exec(line) ?? []
    const isFence = mark !== '' && (fence === '' || fence === mark)
    if (isFence) fence = fence === '' ? mark : ''
    const isCode = isFence || fence !== ''
    const last = pieces.at(-1)
    if (last?.isCode === isCode) last.lines.push(line)
    else pieces.push({ isCode, lines: [line] })
  }
  return pieces
    .map(({ isCode, lines }) => {
      const piece = lines.join('\n')
      return isCode
        ? piece
        : [IMPORT, EXPORT, COMMENT, TAG].reduce((rest, code) => rest.replaceAll(code, ''), piece)
    })
    .join('\n')
}
