// The turns of the page: unpacked block by block, grouped into conversations, ready to be searched.
import { CONTENTS_ID, turnBlockId, type PageContents, type PageTurn } from '../domain/conversations.ts'

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

/** Undefined for a page without conversations. Rejects where the browser cannot unpack them. */
export async function loadStore(): Promise<Store | undefined> {
  const element = document.getElementById(CONTENTS_ID)
  if (element === null) return undefined
  const contents = JSON.parse(element.textContent) as PageContents
  const groups = new Map<string, PageTurn[]>()
  for (let number = 0; number < contents.blocks; number += 1) {
    const block = document.getElementById(turnBlockId(number))
    for (const turn of await unpack(block?.textContent ?? '')) {
      const key = `${turn.file} ${turn.repeat} ${turn.thread}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [turn])
      else group.push(turn)
    }
    // The text is not needed twice, and is most of the page.
    block?.remove()
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

async function unpack(base64: string): Promise<readonly PageTurn[]> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as PageTurn[]
}

export const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
