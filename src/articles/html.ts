// Parses an article in HTML: its title, and sections under h1 to h3, with lists and tables as lines.
import { Tokenizer, TokenizerMode, type Token } from 'parse5'
import { ownValue, singleSpaced } from '../domain/text.ts'
import type { Parsed, ArticleSection } from './article.ts'

const DROPPED: ReadonlySet<string> = new Set(
  (
    'script style nav noscript template svg iframe object select textarea ac:parameter ac:placeholder ' +
    'ac:task-id ac:task-status'
  ).split(' '),
)
/** Navigation, and what Confluence writes around a page: when it was edited and exported is no fact of it. */
const AROUND = /^(?:navigation|contentinfo|breadcrumb-section|page-metadata|footer)$/
/** The tokenizer must not look for tags in them. */
const TEXT_MODES: Readonly<Record<string, Tokenizer['state']>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
}
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 head header hr html li main ol p pre section summary table tbody tfoot thead tr ul ' +
    'ac:plain-text-body ac:rich-text-body ac:task'
  ).split(' '),
)
const PREFORMATTED: ReadonlySet<string> = new Set(['pre', 'ac:plain-text-body'])
const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3'])
/** An answer may repeat these links. */
const LINKED = /^(?:https?:\/\/|mailto:|tel:)/i

/** Tells HTML by a tag at its beginning or end: a text with code in it may hold tags, too. */
export const isHtml = (text: string): boolean =>
  BEGINS_WITH_TAG.test(text) || ENDS_WITH_TAG.test(text.slice(-30).trimEnd())
const NAMES =
  'html|head|body|div|p|span|h[1-6]|ul|ol|li|dl|table|section|article|header|main|figure|blockquote|pre' +
  '|a|b|strong|em|i|img|br|hr|font|meta|style|script|ac:[a-z-]+'
const BEGINS_WITH_TAG = new RegExp(`^\\s*<(?:!doctype|!--|(?:${NAMES})[\\s/>])`, 'i')
const ENDS_WITH_TAG = /<\/(?:html|body|div|p|h[1-6]|ul|ol|dl|table|section|article|figure|blockquote|pre)>$/i

const TAG = new RegExp(
  `</?(?:${NAMES}|[uib]|td|th|tr|o:p)(?=[\\s>/])|<!--|<!doctype|&(?:[a-z]{2,8}|#\\d{1,6});`,
  'i',
)
const OTHER_TAG = new RegExp(
  `<(?!/?(?:${NAMES}|[uib]|t[dhr]|tbody|thead|small|sub|sup|code|del|ins|o:p)[\\s>/]|!--|!doctype)`,
  'gi',
)

/** Turns the markup of a mail into lines. A tag that HTML lacks is text: `<your name>`, `<a@example.com>`. */
export function htmlToText(text: string): string {
  if (!TAG.test(text)) return text
  const html = text
    .replaceAll(OTHER_TAG, '&lt;')
    .replaceAll(/(<\/?)a(?=[\s>])/gi, '$1span')
    .replaceAll(/(<\/?)(?:h[1-6]|t[dh])(?=[\s>])/gi, '$1div')
  // Without blocks, the ends of lines are those of the text.
  const isPage = /<(?:p|div|body|table|li)[\s>]/i.test(html)
  const { sections } = parseHtml(isPage ? html : html.replaceAll(/\r\n?|\n/g, '<br>'))
  return sections.map((section) => section.text).join('\n')
}

/**
 * Never throws. Builds no tree: it grows with the square of hostile markup (`<b a1>x<p><b a2>x<p>`: 100 kB
 * exhaust the memory), and text and headings need none.
 */
export function parseHtml(html: string): Parsed {
  const page = new PageReader()
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: (tag) => {
        const mode = ownValue(TEXT_MODES, tag.tagName)
        if (mode !== undefined && !tag.selfClosing) tokenizer.state = mode
        page.open(tag)
      },
      onEndTag: (tag) => page.close(tag.tagName),
      onCharacter: ({ chars }) => page.write(chars),
      onWhitespaceCharacter: ({ chars }) => page.write(page.isPre ? chars : ' '),
      onNullCharacter: () => undefined,
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => undefined,
      onParseError: null,
    },
  )
  // Confluence keeps code and texts of links in CDATA, which HTML knows only in drawings and formulas.
  tokenizer.inForeignNode = true
  tokenizer.write(html, true)
  return page.end()
}

class PageReader {
  #pieces: string[] = []
  #heading = ''
  readonly #sections: ArticleSection[] = []
  #target: 'text' | 'heading' | 'title' = 'text'
  #title = ''
  #topHeading = ''
  #language: string | undefined
  #url: string | undefined
  #dropped: { readonly name: string; depth: number } | undefined
  #link: string | undefined
  /** Each open list has its next number; undefined for bullets. */
  readonly #lists: (number | undefined)[] = []
  isPre = false
  /** The line holds the mark of a list, and no text yet. */
  #isMarked = false

  open({ tagName, attrs, selfClosing }: Token.TagToken): void {
    const attribute = (name: string): string | undefined => attrs.find((pair) => pair.name === name)?.value
    if (this.#dropped !== undefined) {
      if (this.#dropped.name === tagName && !selfClosing) this.#dropped.depth += 1
      return
    }
    const isAround =
      tagName === 'div' && ['role', 'id', 'class'].some((at) => AROUND.test(attribute(at) ?? ''))
    // The title of a panel is shown; other parameters of a macro are not.
    if (isAround || (DROPPED.has(tagName) && attribute('ac:name') !== 'title')) {
      // Many exports are XHTML, in which `<iframe/>` is empty.
      if (!selfClosing) this.#dropped = { name: tagName, depth: 1 }
      return
    }
    if (tagName === 'ac:parameter') this.#pieces.push(' ')
    // `<li><p>` is one line.
    if (BLOCKS.has(tagName) && !(this.#isMarked && tagName === 'p')) this.#endLine()
    if (HEADINGS.has(tagName)) {
      this.#endSection()
      this.#target = 'heading'
      this.#heading = ''
    }
    if (tagName === 'title') this.#target = 'title'
    if (tagName === 'html') this.#language = attribute('lang')
    if (tagName === 'link' && attribute('rel') === 'canonical') this.#url = attribute('href')
    if (PREFORMATTED.has(tagName)) this.isPre = true
    if (tagName === 'ol' || tagName === 'ul') this.#lists.push(tagName === 'ol' ? 1 : undefined)
    if (tagName === 'td' || tagName === 'th') this.#pieces.push(' | ')
    if (tagName === 'li') {
      const next = this.#lists.pop()
      this.#pieces.push(next === undefined ? '- ' : `${next}. `)
      this.#lists.push(next && next + 1)
      this.#isMarked = true
    }
    if (tagName === 'a') {
      this.#endLink()
      const href = attribute('href')?.trim()
      if (href === undefined || !LINKED.test(href) || this.#target !== 'text') return
      this.#link = href
      this.#pieces.push('[')
    }
  }

  close(name: string): void {
    if (this.#dropped !== undefined) {
      if (this.#dropped.name === name) this.#dropped.depth -= 1
      if (this.#dropped.depth === 0) this.#dropped = undefined
      return
    }
    if (name === 'a') this.#endLink()
    if (BLOCKS.has(name)) this.#endLine()
    if (name === 'title') this.#target = 'text'
    if (PREFORMATTED.has(name)) this.isPre = false
    if (name === 'ol' || name === 'ul') this.#lists.pop()
  }

  write(text: string): void {
    if (this.#dropped !== undefined) return
    if (this.#target === 'title') this.#title += text
    else if (this.#target === 'heading') this.#heading += text
    else this.#pieces.push(text)
    this.#isMarked &&= text === ' '
  }

  end(): Parsed {
    this.#endLine()
    this.#endSection()
    const title = singleSpaced(this.#topHeading) || singleSpaced(this.#title) || undefined
    return { title, url: this.#url, language: this.#language, sections: this.#sections }
  }

  #endLink(): void {
    if (this.#link !== undefined) this.#pieces.push(`](${this.#link})`)
    this.#link = undefined
  }

  /** A heading ends with the line, too: its end tag may be missing. */
  #endLine(): void {
    this.#endLink()
    this.#isMarked = false
    if (this.#target === 'heading') this.#target = 'text'
    else this.#pieces.push('\n')
  }

  /** The first heading is the page's title. */
  #endSection(): void {
    const heading = singleSpaced(this.#heading)
    const lines = this.#pieces.join('').split('\n')
    const text = lines
      .map((line) => line.trim())
      .filter((line) => line !== '' && line !== '-')
      .join('\n')
    this.#pieces = []
    if (this.#topHeading === '') this.#topHeading = heading
    if (text !== '') this.#sections.push({ heading, text })
  }
}
