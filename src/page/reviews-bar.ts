// The bar below the page while there are marks: how many are not saved yet, and the button that saves them as a file.
import type { Context } from './context.ts'
import { REVIEW_COLUMNS, reviewCells, toCsv } from './csv.ts'
import { download } from './download.ts'
import { button, element, showIn } from './element.ts'
import { countUnsaved, type Marks } from './marks.ts'

export function reviewsBar({ speech, store, marks }: Context): HTMLElement {
  const { words, plural } = speech
  const save = async (): Promise<void> => {
    const rows: (readonly string[])[] = []
    for (const [place, mark] of [...marks.now().byPlace].sort(([some], [other]) => some - other))
      if (place < store.rows.length) rows.push(reviewCells(await store.turn(place), mark))
    download('reviews.csv', [toCsv([REVIEW_COLUMNS]), toCsv(rows)])
    marks.setSaved()
  }
  const told = element('span', { role: 'status' })
  const bar = element(
    'section',
    { class: 'reviews-bar', 'aria-label': words.reviewsBar, hidden: true },
    told,
    button(words.save, () => void save(), { id: 'save-reviews' }),
  )
  const show = (now: Marks): void => {
    const unsaved = countUnsaved(now)
    bar.hidden = now.byPlace.size === 0
    bar.classList.toggle('unsaved', unsaved > 0)
    showIn(told, unsaved > 0 ? plural(words.unsaved, unsaved) : plural(words.saved, now.byPlace.size))
  }
  marks.watch(show)
  show(marks.now())
  return bar
}
