// How the report page holds its turns: rows for lists and filters, and apart from them the long texts, unpacked as needed.
import { answerKey } from './review.ts'
import type { PageChange, PageReview, PageTurn } from './page.ts'

/** What lists, filters and sorting need of a turn. */
export interface PageRow extends Pick<
  PageTurn,
  | 'id'
  | 'file'
  | 'thread'
  | 'turn'
  | 'repeat'
  | 'tags'
  | 'mustPass'
  | 'source'
  | 'grounded'
  | 'outcome'
  | 'passed'
  | 'latencyMs'
  | 'contextLost'
  | 'flaky'
> {
  /** The beginning of the question. */
  readonly opening: string
  /** Of the answer's text; null without one. */
  readonly answerKey: string | null
  readonly reviewed: Pick<PageReview, 'state' | 'word'> | null
  readonly changed: Pick<PageChange, 'presence' | 'kinds' | 'similarity'> | null
}

/** The rest. */
export type PageTexts = Omit<
  PageTurn,
  Exclude<keyof PageRow, 'opening' | 'answerKey' | 'reviewed' | 'changed'>
>

/** The page's last block: what was written before it. */
export interface PageContents {
  readonly kind: 'run' | 'comparison'
  readonly names: { readonly baseline: string | null; readonly candidate: string }
  /** Ids of the run, or of both: a page that is made anew has the same. */
  readonly runs: readonly string[]
  readonly rows: number
  readonly rowBlocks: number
  /** The first row of each block of texts. */
  readonly textBlocks: readonly number[]
  /** Turns that did not fit, and how many of them matter. */
  readonly leftOut: { readonly turns: number; readonly mattering: number }
}

/** Ids of the elements that hold them. */
export const rowBlockId = (number: number): string => `rows-${number}`
export const textBlockId = (number: number): string => `texts-${number}`
export const CONTENTS_ID = 'contents'
export const WORDS_ID = 'words'

/** UTF-16 code units of a question that a row holds. */
const OPENING = 200

export function splitTurn(turn: PageTurn): { readonly row: PageRow; readonly texts: PageTexts } {
  const {
    id,
    file,
    thread,
    turn: place,
    repeat,
    tags,
    mustPass,
    source,
    grounded,
    outcome,
    passed,
    latencyMs,
    contextLost,
    flaky,
    ...texts
  } = turn
  const { message, answer, review, change } = texts
  return {
    row: {
      id,
      file,
      thread,
      turn: place,
      repeat,
      tags,
      mustPass,
      source,
      grounded,
      outcome,
      passed,
      latencyMs,
      contextLost,
      flaky,
      opening: message.length <= OPENING ? message : `${message.slice(0, OPENING)}…`,
      answerKey: answer === null ? null : answerKey(answer),
      reviewed: review === null ? null : { state: review.state, word: review.word },
      changed:
        change === null
          ? null
          : { presence: change.presence, kinds: change.kinds, similarity: change.similarity },
    },
    texts,
  }
}

export function joinTurn(row: PageRow, texts: PageTexts): PageTurn {
  const { opening: _, answerKey: __, reviewed: ___, changed: ____, ...rest } = row
  return { ...rest, ...texts }
}
