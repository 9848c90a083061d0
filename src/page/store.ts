// The turns of the page: unpacked block by block, grouped into conversations, ready to be searched.
import type { PageTurn } from '../domain/conversations.ts'

/** A JSON block of the page, beside its turns. */
export interface PageContents {
  /** The key under which the browser stores reviews made in the page. */
  readonly runId: string
  /** Part of the names of downloads. */
  readonly name: string
  /** Turns are in the elements `turns-0`, `turns-1`, …: JSON, gzip, base64. */
  readonly blocks: number
  readonly turns: number
  /** Turns of a large run that only `results.csv` holds. */
  readonly leftOut: number
  readonly changes: readonly { readonly name: string; readonly label: string; readonly tone: string }[]
}

export const CONTENTS_ID = 'contents'
export const turnBlockId = (number: number): string => `turns-${number}`

/** The turns of one thread at one repeat. */
export interface Conversation {
  /** Place among all. */
  readonly place: number
  readonly turns: readonly PageTurn[]
}

export interface Store {
  readonly contents: PageContents
  readonly conversations: readonly Conversation[]
  /** What a search looks through, in lower case without accents. */
  readonly textOf: (turn: PageTurn) => string
}

/** Blocks that are unpacked side by side. */
const AT_ONCE = 8

/** Undefined for a page without conversations. Rejects where the browser cannot unpack them. */
export async function loadStore(): Promise<Store | undefined> {
  const element = document.getElementById(CONTENTS_ID)
  if (element === null) return undefined
  const contents = JSON.parse(element.textContent) as PageContents
  const groups = new Map<string, PageTurn[]>()
  const next = async (number: number): Promise<readonly PageTurn[]> =>
    number < contents.blocks ? unpackBlock(number) : []
  // To unpack is mostly to wait: several blocks at once, taken in their order.
  const ahead = Array.from({ length: AT_ONCE }, async (_, number) => next(number))
  for (let number = 0; number < contents.blocks; number += 1) {
    const turns = (await ahead.shift()) ?? []
    ahead.push(next(number + AT_ONCE))
    for (const turn of turns) {
      const key = `${turn.file} ${turn.repeat} ${turn.thread}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [turn])
      else group.push(turn)
    }
  }
  const conversations = [...groups.values()].map((turns, place) => ({
    place,
    turns: turns.sort((a, b) => a.turn - b.turn),
  }))
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
  // The text is not needed twice, and is most of the page.
  block?.remove()
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as PageTurn[]
}

export const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
