// Paper has no buttons: before printing the conversations open, as many as a person would want on paper.
import type { ListView } from './list-view.ts'

/** Conversations. */
export const MOST_PRINTED = 300

/** `told`: says on paper that there are more. */
export function prepareForPrint(list: ListView, told: HTMLElement): void {
  const opened: (() => void)[] = []
  addEventListener('beforeprint', () => {
    list.grow(MOST_PRINTED)
    const views = list.views()
    told.hidden = list.count() <= MOST_PRINTED
    for (const [place, view] of views.entries()) {
      view.element.classList.toggle('unprinted', place >= MOST_PRINTED)
      if (view.isOpen() || place >= MOST_PRINTED) continue
      view.openAtOnce()
      opened.push(view.close)
    }
  })
  addEventListener('afterprint', () => {
    for (const close of opened.splice(0)) close()
  })
}
