// Reads the turns from the page and groups them into conversations.
import { type Contradiction, type NamedSection, sectionsOf, type WholeArticle } from '../domain/articles.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { Document } from '../report/document.ts'

export interface PageContents {
  /** Part of the key under which the browser stores reviews. */
  readonly runId: string
  readonly name: string
  /** So many elements, `turns-0`, `turns-1`, …, hold the turns: JSON, gzip, base64. */
  readonly blocks: number
  /** Sections of articles that turns name, each once. */
  readonly sections: readonly { readonly article: string; readonly section: string; readonly text: string }[]
  readonly contradictions?: readonly Contradiction[] | undefined
  /** A comparison names the edited article that changed an answer, by the id of the question. */
  readonly edited?: Readonly<Record<string, string>> | undefined
  readonly changes: readonly { readonly name: string; readonly label: string; readonly tone: string }[]
}

/** A report page carries its data, for programs that read pages. */
export interface PageData {
  readonly document: Document
  /** Null for a report without conversations. */
  readonly contents: PageContents | null
  /** Each block of turns is JSON, gzip, base64. */
  readonly turns: readonly string[]
}

export const CONTENTS_ID = 'contents'
/** The number is that of the format of `Document`. */
export const DOCUMENT_ID = 'document-1'
export const turnBlockId = (number: number): string => `turns-${number}`

/** Turns of a conversation have the same thread and the same repeat. */
export type PageConversation = readonly PageTurn[]

/** `turns` are those of the conversation that a search finds. */
export interface Found {
  readonly conversation: PageConversation
  readonly turns: readonly PageTurn[]
}

export interface Place {
  readonly address: string
  readonly turn: PageTurn
  readonly index: number
}

export interface PageStore {
  readonly contents: PageContents
  readonly conversations: readonly PageConversation[]
  /** A search looks through this text, which is folded. */
  readonly textOf: (turn: PageTurn) => string
  readonly textOfSection: (section: NamedSection) => string | undefined
  /** "Back" from an article leads to where the reader was, by address. */
  readonly places: Map<string, Place>
  /** An article has the sections that answers name. */
  readonly article: (id: string) => WholeArticle
}

/** Unpacks all blocks at once: it is mostly waiting. */
export const openStore = async (contents: PageContents, packed: readonly string[]): Promise<PageStore> =>
  storeOf(contents, (await Promise.all(packed.map(async (block) => unpack<PageTurn[]>(block)))).flat())

export function storeOf(contents: PageContents, all: readonly PageTurn[]): PageStore {
  const groups = new Map<string, PageTurn[]>()
  for (const turn of all) {
    const key = `${turn.file} ${turn.repeat} ${turn.thread}`
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(turn)
  }
  const conversations = [...groups.values()].map((turns) => turns.sort((a, b) => a.turn - b.turn))
  const texts = new Map<PageTurn, string>()
  const textOf = (turn: PageTurn): string => {
    const known = texts.get(turn)
    if (known !== undefined) return known
    const { id, message, answer, error, tags, cells, change, review } = turn
    const labels = [...tags, ...Object.values(cells)]
    const text = fold([id, message, answer, error, ...labels, change?.answer, review?.note].join('\n'))
    texts.set(turn, text)
    return text
  }
  const keyOf = (article: string, section: string): string => JSON.stringify([article, section])
  const sections = new Map(
    contents.sections.map(({ article, section, text }) => [keyOf(article, section), text] as const),
  )
  const textOfSection = ({ article, section }: NamedSection): string | undefined =>
    sections.get(keyOf(article, section))
  const article = (id: string): WholeArticle => ({
    title:
      all.flatMap(({ articles }) => sectionsOf(articles)).find((named) => named.article === id)?.title ?? id,
    sections: contents.sections
      .filter((section) => section.article === id)
      .map(({ section: heading, text }) => ({ heading, text })),
    note: '',
  })
  return { contents, conversations, textOf, textOfSection, article, places: new Map() }
}

export async function unpack<T>(packed: string): Promise<T> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as T
}

const QUOTES = /["`´\u02b9-\u02bd\u2018-\u201f\u2032-\u2037\u2039\u203a«»\u300c-\u300f\u301d-\u301f]/g
/**
 * Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, and what is invisible; vowel signs of
 * other scripts stay.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\p{DI}]/gu
const DASHES = /[\p{Pd}\u2043\u2212]/gu
/** Single spaces stay. */
const WHITE_SPACE = /\s{2,}|[^\S ]/g
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\u0000-\u007f]*$/

/**
 * What looks alike, or is typed alike, becomes the same string: case, accents, typographic quotes and dashes,
 * white space, invisible signs. Stronger than the fold of expectations: a search should find too much rather
 * than too little.
 */
export function fold(text: string): string {
  // Before Unicode takes some of them apart.
  const quoted = text.replaceAll(QUOTES, "'")
  const plain = PLAIN.test(quoted)
    ? quoted
    : quoted.normalize('NFKD').replaceAll(MARKS, '').replaceAll(DASHES, '-').toUpperCase()
  // JavaScript has no case folding; by way of upper case, ß becomes ss, and the dotless i becomes i.
  return plain.toLowerCase().replaceAll(WHITE_SPACE, ' ').trim()
}
