// The script of the report page.
import { hydrate } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { plural } from '../domain/format.ts'
import type { Document } from '../report/document.ts'
import { type Acts, createActs } from './acts.ts'
import { ReportApp } from './app.tsx'
import { Icon } from './icons.tsx'
import { download, openReviews, reviewsCsv } from './reviews.ts'
import {
  CONTENTS_ID,
  DOCUMENT_ID,
  openStore,
  type PageContents,
  type PageStore,
  turnBlockId,
  unpack,
} from './store.ts'
import { Button } from './button.tsx'

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
  const [store, setStore] = useState<PageStore>()
  const [acts, setActs] = useState<Acts>()
  useEffect(() => {
    void loadStore().then((loaded) => {
      if (loaded === undefined) return
      const { made, keep, rows } = openReviews(loaded.contents)
      const ofFound = () => {
        const reviews = rows()
        return reviews.length === 0 ? null : (
          <Button
            kind="plain"
            act={() => download(`${loaded.contents.name}-reviews.csv`, reviewsCsv(reviews))}
          >
            <Icon name="upload" class="flip" />
            {plural(reviews.length, 'review')}
          </Button>
        )
      }
      const rate = async (...mark: Parameters<typeof keep>) => keep(...mark)
      const { marks } = createActs({ rate }, (changed) => setActs({ ...changed, ofFound }))
      marks.read(made, 0)
      setStore(loaded)
    })
  }, [])
  return <ReportApp document={report} store={store} acts={acts} />
}

const packed = document.getElementById(DOCUMENT_ID)?.textContent ?? ''
const root = document.getElementById('app')
if (root !== null) void unpack<Document>(packed).then((report) => hydrate(<Page report={report} />, root))
