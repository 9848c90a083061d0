// Reads the turns from the page and groups them into conversations.
import type { PageTurn } from '../domain/conversations.ts'
import type { Review } from '../domain/review.ts'

/** A JSON block in the page. */
export interface PageContents {
  /** Part of the key under which the browser stores reviews. */
  readonly runId: string
  /** Part of the file names of downloads. */
  readonly name: string
  /** How many elements `turns-0`, `turns-1`, … hold the turns: JSON, gzip, base64. */
  readonly blocks: number
  /** All that the run carries. */
  readonly reviews: readonly Review[]
  readonly changes: readonly { readonly name: string; readonly label: string; readonly tone: string }[]
}

export const CONTENTS_ID = 'contents'
export const turnBlockId = (number: number): string => `turns-${number}`

/** The turns of one thread at one repeat. */
export type Conversation = readonly PageTurn[]

export interface Store {
  readonly contents: PageContents
  readonly conversations: readonly Conversation[]
  /** The text that a search looks through, in lower case and without accents. */
  readonly textOf: (turn: PageTurn) => string
}

/** Undefined for a page without conversations. */
export async function loadStore(): Promise<Store | undefined> {
  const element = document.getElementById(CONTENTS_ID)
  if (element === null) return undefined
  const contents = JSON.parse(element.textContent) as PageContents
  const groups = new Map<string, PageTurn[]>()
  // All blocks at once: unpacking is mostly waiting.
  const blocks = await Promise.all(
    Array.from({ length: contents.blocks }, async (_, number) => unpackBlock(number)),
  )
  for (const turn of blocks.flat()) {
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
    const { id, message, answer, error, tags, change, review } = turn
    const text = fold([id, message, answer, error, ...tags, change?.answer, review?.note].join('\n'))
    texts.set(turn, text)
    return text
  }
  return { contents, conversations, textOf }
}

async function unpackBlock(number: number): Promise<readonly PageTurn[]> {
  const block = document.getElementById(turnBlockId(number))
  const bytes = Uint8Array.from(atob(block?.textContent ?? ''), (character) => character.charCodeAt(0))
  // Frees the memory of the packed text.
  block?.remove()
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as PageTurn[]
}

export const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
