// Tables of contents, such as Confluence's index.html and GitBook's SUMMARY.md: links to the other files of a
// folder, and nearly no text beside them.
import { posix } from 'node:path'
import type { Parsed } from './article.ts'

/** In Markdown or HTML. Lengths are bounded: hostile markup would take quadratic time. */
const LINK = new RegExp(
  String.raw`\[([^\]\n]{1,300})\]\(<?([^()<>\n]{1,300}?)>?(?: "[^"\n]{0,300}")?\)` +
    String.raw`|<a\s[^<>]{0,300}?href=["']([^"'<>]{1,300})["'][^<>]{0,300}>((?:[^<]|<(?!\/?a\b)){1,300}?)<\/a>`,
  'gi',
)
const MIN_LINKS = 2
const MAX_OTHER_TEXT = 0.2

/** The `files` of the folder, with `/` between folders, have this one among them. */
export function isContents(
  file: string,
  text: string,
  files: ReadonlySet<string>,
  parse: (text: string) => Parsed,
): boolean {
  const isOther = (address: string): boolean => {
    const path = address
      .replace(/[?#].*$/, '')
      .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    const other = posix.join(path.startsWith('/') ? '.' : posix.dirname(file), path)
    return other !== file && files.has(other)
  }
  let [others, links] = [0, 0]
  for (const [, , inMarkdown, inHtml = inMarkdown] of text.matchAll(LINK)) {
    links += 1
    if (isOther(inHtml ?? '')) others += 1
  }
  if (others < MIN_LINKS || others * 2 < links) return false
  // Confluence's has a table that describes the space.
  const beside = /^index\./i.test(posix.basename(file)) ? /^\|.*$|[^\p{L}\p{N}]/gmu : /[^\p{L}\p{N}]/gu
  const size = (markup: string): number =>
    parse(markup).sections.reduce((sum, section) => sum + section.text.replaceAll(beside, '').length, 0)
  const labels = text.replaceAll(
    LINK,
    (_, inMarkdown?: string, _to?: string, _href?: string, inHtml = '') => inMarkdown ?? inHtml,
  )
  return size(text.replaceAll(LINK, '')) <= MAX_OTHER_TEXT * size(labels)
}
