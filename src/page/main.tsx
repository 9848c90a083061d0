// The script of the report page.
import { openApp } from './app.tsx'
import { createMarks } from './reviews.ts'
import { CONTENTS_ID, openStore, type PageContents, type PageStore, turnBlockId } from './store.ts'

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

openApp(loadStore(), createMarks)
