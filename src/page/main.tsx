// The script of the report page.
import { hydrate } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Document } from '../report/document.ts'
import type { Acts, Done } from './acts.ts'
import { ReportApp } from './app.tsx'
import { createMarks, type Mark } from './reviews.ts'
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
  const [store, setStore] = useState<PageStore>()
  const [acts, setActs] = useState<Acts>()
  useEffect(() => {
    void loadStore().then((loaded) => {
      if (loaded === undefined) return
      setActs(createActs(loaded.contents, setActs))
      setStore(loaded)
    })
  }, [])
  return <ReportApp document={report} store={store} acts={acts} />
}

function createActs(contents: PageContents, changed: (acts: Acts) => void): Acts {
  let last: Done | undefined
  const marks = createMarks(contents, () => changed(current()))
  const set = (turn: Parameters<typeof marks.set>[0], mark: Mark): void => {
    const before = marks.of(turn)
    last = {
      turn,
      says:
        mark.word === before.word
          ? 'Note kept'
          : mark.word === null
            ? 'Rating taken back'
            : `Rated ${mark.word}`,
      undo: () => {
        last = undefined
        marks.set(turn, before)
      },
    }
    marks.set(turn, mark)
  }
  // A new object makes Preact render again.
  const current = (): Acts => ({
    marks: { ...marks, set },
    last,
    decisionOn: ({ articles }) => {
      if (articles?.kind !== 'gap' || articles.decision === null) return undefined
      const article = articles.cause === 'no-article' ? null : (articles.nearest[0]?.article ?? null)
      return { ...articles.decision, article }
    },
  })
  return current()
}

const packed = document.getElementById(DOCUMENT_ID)?.textContent ?? ''
const root = document.getElementById('app')
if (root !== null) void unpack<Document>(packed).then((report) => hydrate(<Page report={report} />, root))
