// The script of the report page.
import { hydrate } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { plural } from '../domain/format.ts'
import type { Document } from '../report/document.ts'
import { type Acts, type DeskState, markTable, openLog, rateText, READING } from './acts.ts'
import { ReportApp } from './app.tsx'
import { Button, Icon } from './controls.tsx'
import { openReviews, saveRows } from './reviews.ts'
import {
  CONTENTS_ID,
  DOCUMENT_ID,
  openStore,
  type PageContents,
  type PageStore,
  turnBlockId,
  unpack,
} from './store.ts'

/** Undefined for a page without conversations. */
async function loadStore(): Promise<PageStore | undefined> {
  const element = document.getElementById(CONTENTS_ID)
  if (element === null) return undefined
  const contents = JSON.parse(element.textContent) as PageContents
  const packed = Array.from({ length: contents.blocks }, (_, number) => {
    const block = document.getElementById(turnBlockId(number))
    // Frees its memory.
    block?.remove()
    return block?.textContent ?? ''
  })
  return openStore(contents, packed)
}

/** Ratings stay in the browser, and are saved as a table. */
function Page({ report }: { readonly report: Document }) {
  const [desk, setDesk] = useState<DeskState>()
  useEffect(() => {
    void loadStore().then((store) => {
      if (store === undefined) return
      const { made, keep, rows } = openReviews(store.contents)
      const ofFound = () => {
        const reviews = rows()
        return reviews.length === 0 ? null : (
          <Button kind="plain" act={() => saveRows(`${store.contents.name}-reviews.csv`, reviews)}>
            <Icon name="upload" class="flip" />
            {plural(reviews.length, 'review')}
          </Button>
        )
      }
      const acts = (): Acts => ({
        ...READING,
        markOf: marks.of,
        rate: (turn, mark) =>
          marks.act(turn, rateText(marks.of(turn), mark), mark, async (kept) => keep(turn, kept)),
        ofFound,
        last: log.last,
      })
      const log = openLog(() => setDesk({ store, acts: acts() }))
      const marks = markTable(log)
      marks.read(made, 0)
    })
  }, [])
  return <ReportApp document={report} desk={desk} />
}

const packed = document.getElementById(DOCUMENT_ID)?.textContent ?? ''
const root = document.getElementById('app')
if (root !== null) void unpack<Document>(packed).then((report) => hydrate(<Page report={report} />, root))
