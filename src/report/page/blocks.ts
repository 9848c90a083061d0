// The turns as the page carries them: rows and texts apart, packed in blocks, as a stream of HTML.
import { gzipSync } from 'node:zlib'
import { CONTENTS_ID, rowBlockId, splitTurn, textBlockId, type PageContents } from '../../domain/page-data.ts'
import type { PageTurn } from '../../domain/page.ts'
import { createJsonList, type JsonList } from './json-list.ts'
import { createRoom, matters, PAGE_LIMITS, type PageLimits } from './what-fits.ts'

const ROWS_A_BLOCK = 2000
/** A block of texts is unpacked whole to show one of them. */
const TEXTS_A_BLOCK = 200
const UNITS_A_BLOCK = 1_000_000

export type PageAbout = Pick<PageContents, 'kind' | 'names' | 'runs'>

/** Turns that were packed before the rest of the page was known. */
export interface PackedTurns {
  readonly kind: 'packed'
  readonly pieces: Iterable<string>
}

interface Packer {
  /** Elements that are whole now; often none. */
  readonly add: (turn: PageTurn) => readonly string[]
  readonly end: (about: PageAbout) => readonly string[]
}

/** Takes turns as they come, where something else reads them at the same time. `keep` takes the pieces in their order. */
export function createTurnPacker(keep: (piece: string) => void, limits?: PageLimits): TurnPacker {
  const packer = createPacker(limits)
  const keepAll = (pieces: readonly string[]): void => {
    for (const piece of pieces) keep(piece)
  }
  return {
    add: (turn) => keepAll(packer.add(turn)),
    finish: (about) => keepAll(packer.end(about)),
  }
}

export interface TurnPacker {
  readonly add: (turn: PageTurn) => void
  /** After the last turn: no piece comes after this. */
  readonly finish: (about: PageAbout) => void
}

/** Elements with the turns that fit, then one with what they are. Never more than a block is held. */
export function* renderBlocks(
  turns: Iterable<PageTurn>,
  about: PageAbout,
  limits?: PageLimits,
): Generator<string> {
  const packer = createPacker(limits)
  for (const turn of turns) yield* packer.add(turn)
  yield* packer.end(about)
}

function createPacker(limits: PageLimits = PAGE_LIMITS): Packer {
  const room = createRoom(limits)
  const textBlocks: number[] = []
  const [rows, texts] = [createJsonList(), createJsonList()]
  let [count, rowBlocks, units, leftOut, mattering] = [0, 0, 0, 0, 0]
  const block = (id: string, list: JsonList): string =>
    `<script type="application/octet-stream" id="${id}">${pack(list.take())}</script>\n`
  const endTexts = (): string[] => {
    if (texts.length() === 0) return []
    const id = textBlockId(textBlocks.length)
    textBlocks.push(count - texts.length())
    units = 0
    return [block(id, texts)]
  }
  const endRows = (): string[] => {
    if (rows.length() === 0) return []
    rowBlocks += 1
    return [block(rowBlockId(rowBlocks - 1), rows)]
  }
  return {
    add: (turn) => {
      const split = splitTurn(turn)
      const size = sizeOf(turn)
      const isMattering = matters(split.row)
      if (!room.take(isMattering, size)) {
        leftOut += 1
        if (isMattering) mattering += 1
        return []
      }
      const before = units + size > UNITS_A_BLOCK ? endTexts() : []
      rows.add(split.row)
      texts.add(split.texts)
      count += 1
      units += size
      return [
        ...before,
        ...(texts.length() === TEXTS_A_BLOCK ? endTexts() : []),
        ...(rows.length() === ROWS_A_BLOCK ? endRows() : []),
      ]
    },
    end: (about) => {
      const last = [...endTexts(), ...endRows()]
      const contents: PageContents = {
        ...about,
        rows: count,
        rowBlocks,
        textBlocks,
        leftOut: { turns: leftOut, mattering },
      }
      return [...last, jsonElement(CONTENTS_ID, contents)]
    },
  }
}

/**
 * JSON in an element that is not run: no `<` in it, so that nothing in it can end the element, and nothing that turns
 * the direction of the source for whoever reads that.
 */
export const jsonElement = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll(NOT_PLAIN, escapeUnit)}</script>\n`

const NOT_PLAIN = /[<\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g
const escapeUnit = (unit: string): string => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0')

/** JSON escapes halves of signs, so every text comes back as it was. */
const pack = (json: Uint8Array): string => gzipSync(json, { level: 6 }).toString('base64')

/** About, and at once: texts alone can be long. */
function sizeOf({ message, answer, failures, change }: PageTurn): number {
  const before = change?.answer?.length ?? 0
  const told = failures.reduce((sum, text) => sum + text.length, 0)
  return 500 + message.length + (answer?.length ?? 0) + told + before
}
