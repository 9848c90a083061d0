// The bar below the page while there are marks: how many are not saved yet, and the button that saves them as a file.
import type { Context } from './context.ts'
import { REVIEW_COLUMNS } from '../domain/result-columns.ts'
import { reviewCells, toCsv } from './csv.ts'
import { download } from './download.ts'
import { button, element, showIn } from './element.ts'
import { isUnsaved } from './marks.ts'

export function reviewsBar({ speech, store, marks }: Context): HTMLElement {
  const { words, plural } = speech
  const save = async (): Promise<void> => {
    const all = marks.all()
    const rows: (readonly string[])[] = []
    for (const [place, mark] of all) rows.push(reviewCells(await store.turn(place), mark))
    download('reviews.csv', [toCsv([REVIEW_COLUMNS]), toCsv(rows)])
    marks.setSaved(all)
  }
  const told = element('span', { role: 'status' })
  const bar = element(
    'section',
    { class: 'reviews-bar', 'aria-label': words.reviewsBar, hidden: true },
    told,
    button(words.save, () => void save(), { id: 'save-reviews' }),
  )
  const show = (): void => {
    const all = marks.all()
    const unsaved = all.filter(([, mark]) => isUnsaved(mark)).length
    bar.hidden = all.length === 0
    bar.classList.toggle('unsaved', unsaved > 0)
    showIn(told, unsaved > 0 ? plural(words.unsaved, unsaved) : plural(words.saved, all.length))
  }
  marks.watch(show)
  show()
  return bar
}
