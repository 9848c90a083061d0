// The turns that the page carries: rows unpacked at once, texts block by block when they are needed.
import {
  CONTENTS_ID,
  joinTurn,
  rowBlockId,
  textBlockId,
  type PageContents,
  type PageRow,
  type PageTexts,
} from '../domain/page-data.ts'
import type { PageTurn } from '../domain/page.ts'
import { unpack } from './blocks.ts'
import { find } from './element.ts'
import { foldedRow, foldedTurn } from './search.ts'

/** Blocks of texts that stay unpacked. */
const KEPT = 64

export interface Store {
  readonly contents: PageContents
  readonly rows: readonly PageRow[]
  /** Whether questions were asked several times over, so that a repeat must be named. */
  readonly hasRepeats: boolean
  readonly turn: (place: number) => Promise<PageTurn>
  /** Undefined where its texts are still packed. */
  readonly turnAtOnce: (place: number) => PageTurn | undefined
  /** Unpacks turns for `turnAtOnce`, a block at a time, in the place of those that were asked for before. */
  readonly prepare: (places: readonly number[]) => Promise<void>
  /** For the search: of everything once its texts were read, before that of the row. */
  readonly folded: (place: number) => string
  /** Reads all texts for the search, a block at a time. `isAll` tells whether it has come to its end. */
  readonly readAll: (progressed: (isAll: boolean) => void) => Promise<void>
}

export async function openStore(): Promise<Store> {
  const contents = JSON.parse(find(CONTENTS_ID).textContent ?? '') as PageContents
  const rows: PageRow[] = []
  for (let number = 0; number < contents.rowBlocks; number += 1)
    rows.push(...((await unpack(find(rowBlockId(number)).textContent ?? '')) as PageRow[]))
  const { textBlocks } = contents
  const kept = new Map<number, readonly PageTexts[]>()
  const folded: (string | undefined)[] = Array.from({ length: rows.length })

  const blockOf = (place: number): number => {
    let [low, high] = [0, textBlocks.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((textBlocks[middle] ?? 0) <= place) low = middle
      else high = middle
    }
    return low
  }
  const read = async (number: number): Promise<readonly PageTexts[]> => {
    const known = kept.get(number)
    if (known !== undefined) return known
    const texts = (await unpack(find(textBlockId(number)).textContent ?? '')) as PageTexts[]
    kept.set(number, texts)
    const oldest = kept.keys().next()
    if (kept.size > KEPT && oldest.done !== true) kept.delete(oldest.value)
    return texts
  }
  const pick = (
    place: number,
    number: number,
    texts: readonly PageTexts[] | undefined,
  ): PageTurn | undefined => {
    const [row, own] = [rows[place], texts?.[place - (textBlocks[number] ?? 0)]]
    return row === undefined || own === undefined ? undefined : joinTurn(row, own)
  }
  let prepared = new Map<number, PageTurn>()
  return {
    contents,
    rows,
    hasRepeats: rows.some(({ repeat }) => repeat > 1),
    turn: async (place) => {
      const number = blockOf(place)
      const turn = pick(place, number, await read(number))
      if (turn === undefined) throw new Error(`the page has no question ${place}`)
      return turn
    },
    turnAtOnce: (place) => {
      const number = blockOf(place)
      return prepared.get(place) ?? pick(place, number, kept.get(number))
    },
    prepare: async (places) => {
      const own = new Map<number, PageTurn>()
      prepared = own
      for (const place of places) {
        const number = blockOf(place)
        if (!kept.has(number)) await pause()
        // Something else was asked for in the meantime.
        if (prepared !== own) return
        const turn = pick(place, number, await read(number))
        if (turn !== undefined) own.set(place, turn)
      }
    },
    folded: (place) => {
      const known = folded[place]
      if (known !== undefined) return known
      const row = rows[place]
      return row === undefined ? '' : foldedRow(row)
    },
    readAll: async (progressed) => {
      for (const [number, first] of textBlocks.entries()) {
        const texts = await read(number)
        let since = performance.now()
        for (const [step, own] of texts.entries()) {
          const row = rows[first + step]
          if (row !== undefined) folded[first + step] = foldedTurn(row, own)
          if (performance.now() - since < 8) continue
          await pause()
          since = performance.now()
        }
        if (number % 20 === 19) progressed(false)
        await pause()
      }
      progressed(true)
    },
  }
}

/** Lets the browser draw and take keys. */
const pause = async (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve)
  })
