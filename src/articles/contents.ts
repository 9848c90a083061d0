// Tables of contents, such as Confluence's index.html and GitBook's SUMMARY.md: links to the other files of a
// folder, and nearly no text beside them.
import { posix } from 'node:path'
import type { Parsed } from './article.ts'

/** Matches a link of Markdown or HTML. Lengths are bounded: hostile markup would take quadratic time. */
const LINK = new RegExp(
  String.raw`\[(?<label>[^\]\n]{1,300})\]\(<?(?<to>[^()<>\n]{1,300}?)>?(?: "[^"\n]{0,300}")?\)` +
    String.raw`|<a\s[^<>]{0,300}?href=["'](?<href>[^"'<>]{1,300})["'][^<>]{0,300}>` +
    String.raw`(?<shown>(?:[^<]|<(?!\/?a\b)){1,300}?)<\/a>`,
  'gi',
)
const MIN_LINKS = 2
const MAX_OTHER_TEXT = 0.25

/** The `files` of the folder, with `/` between folders, have this one among them. */
export function isContents(
  file: string,
  text: string,
  files: ReadonlySet<string>,
  parse: (text: string) => Parsed,
): boolean {
  let [others, links, labels] = [0, 0, 0]
  for (const { groups: { label, to, href = to, shown = label } = {} } of text.matchAll(LINK)) {
    const path = (href ?? '').replace(/[?#].*$/, '').replaceAll(/(?:%[\da-f]{2})+/gi, decodeBytes)
    const other = posix.join(path.startsWith('/') ? '.' : posix.dirname(file), path)
    if (other !== file && files.has(other)) others += 1
    links += 1
    labels += shown?.length ?? 0
  }
  if (others < MIN_LINKS || others * 2 < links) return false
  // Confluence's has a table that describes the space.
  const ignored = /^index\./i.test(posix.basename(file)) ? /^\|.*$|[^\p{L}\p{N}]/gmu : /[^\p{L}\p{N}]/gu
  const beside = parse(text.replaceAll(LINK, '')).sections.map((section) => section.text)
  return beside.join('\n').replaceAll(ignored, '').length <= MAX_OTHER_TEXT * labels
}

const decodeBytes = (bytes: string): string => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()
