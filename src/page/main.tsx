// The script of the report page.
import { openApp } from './app.tsx'
import { createMarks } from './reviews.ts'
import { CONTENTS_ID, openStore, type PageContents, type PageStore, turnBlockId } from './store.ts'

/** Undefined for a page without conversations. */
async function loadStore(): Promise<PageStore | undefined> {
  const element = document.getElementById(CONTENTS_ID)
  if (element === null) return undefined
  const contents = JSON.parse(element.textContent) as PageContents
  const packed = Array.from({ length: contents.blocks }, (_, number) => takeBlock(turnBlockId(number)))
  return openStore(contents, packed)
}

/** Removes it from the page, which frees its memory. */
function takeBlock(id: string): string {
  const block = document.getElementById(id)
  block?.remove()
  return block?.textContent ?? ''
}

openApp(loadStore(), createMarks)
