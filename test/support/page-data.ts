// What a report page carries, unpacked as its own code does it.
import { gunzipSync } from 'node:zlib'
import { joinTurn, type PageContents, type PageRow, type PageTexts } from '../../src/domain/page-data.ts'
import type { PageTurn } from '../../src/domain/page.ts'

export interface PageData {
  readonly contents: PageContents
  readonly turns: readonly PageTurn[]
}

export function readPageData(page: string): PageData {
  const held = (pattern: RegExp): unknown[] =>
    Array.from(page.matchAll(pattern), ([, packed = '']) =>
      JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()),
    )
  const rows = held(/id="rows-\d+">([^<]*)</g).flat() as PageRow[]
  const texts = held(/id="texts-\d+">([^<]*)</g).flat() as PageTexts[]
  const [, json = ''] = /id="contents">([^<]*)</.exec(page) ?? []
  const turns = rows.map((row, place) => {
    const own = texts[place]
    if (own === undefined) throw new Error(`the page has a row without its texts: ${place}`)
    return joinTurn(row, own)
  })
  return { contents: JSON.parse(json) as PageContents, turns }
}
