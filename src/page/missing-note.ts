// The answer to a link whose question the page does not have: where the person looks, and read aloud.
import { element } from './element.ts'

export interface MissingNote {
  readonly element: HTMLElement
  readonly tell: (text: string) => void
  readonly hide: () => void
}

export function missingNote(): MissingNote {
  const note = element('p', { role: 'alert', class: 'note-box', tabindex: '-1', hidden: true })
  return {
    element: note,
    tell: (text) => {
      note.textContent = text
      note.hidden = false
      note.scrollIntoView({ block: 'center' })
      note.focus({ preventScroll: true })
    },
    hide: () => {
      note.hidden = true
    },
  }
}
