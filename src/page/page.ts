// The report page's own code: opens the conversations that the page carries. The first screen above is there without it.
import { WORDS_ID } from '../domain/page-data.ts'
import type { PageWords } from '../domain/page-words.ts'
import { element, find, showIn } from './element.ts'
import { startApp } from './app.ts'
import { keepMarks } from './kept-marks.ts'
import { dropKnown } from './known-marks.ts'
import { openStore } from './store.ts'
import { fill, speechOf } from './words.ts'

async function open(): Promise<void> {
  const app = find('app')
  const words = JSON.parse(find(WORDS_ID).textContent ?? '') as PageWords
  showIn(app, element('p', { role: 'status' }, words.opening))
  try {
    const store = await openStore()
    const marks = keepMarks(store.contents, store.rows)
    await dropKnown(marks, store)
    startApp(app, { speech: speechOf(words), store, marks })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    showIn(app, element('p', { role: 'alert', class: 'note-box' }, fill(words.broken, { why })))
  }
}

void open()
