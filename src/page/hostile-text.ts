// Texts of questions and answers as nodes: shown sign for sign in their own direction, steering signs made visible.
import { button, element } from './element.ts'
import { fill, type Speech } from './words.ts'
import { visibleParts } from './visible.ts'

/** UTF-16 code units that are shown at once: a megabyte in one line takes a browser seconds. */
const SHOWN = 20_000

/** Within a line; the language is not known. */
export const inlineText = (text: string, name: 'span' | 'code' | 'bdi' = 'bdi'): HTMLElement =>
  element(name, { dir: 'auto', lang: '', class: 'given' }, ...nodesOf(text))

/** A passage: the rest of a long one at the press of a button. */
export function passage(text: string, speech: Speech): HTMLElement {
  const { words } = speech
  if (text.trim() === '') return element('p', { class: 'muted' }, words.emptyText)
  return cutPassage([{ kind: 'same', text }], speech)
}

export interface Stretch {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Stretches one after the other; what came and went is marked for the eye and for screen readers. */
export function cutPassage(stretches: readonly Stretch[], speech: Speech): HTMLElement {
  const whole = stretches.reduce((sum, { text }) => sum + text.length, 0)
  const shown = element('div', { class: 'passage', dir: 'auto', lang: '' })
  const draw = (most: number): void => {
    let room = most
    for (const { kind, text } of stretches) {
      if (room <= 0) break
      const part = text.length <= room ? text : text.slice(0, room).replace(/[\ud800-\udbff]$/, '')
      room -= text.length
      shown.append(...marked(kind, part))
    }
  }
  draw(SHOWN)
  if (whole <= SHOWN) return shown
  const label = fill(speech.words.showAll, { count: speech.number(whole) })
  const more = button(`… ${label}`, () => {
    shown.replaceChildren()
    draw(Number.POSITIVE_INFINITY)
    more.remove()
  })
  return element('div', {}, shown, more)
}

function marked(kind: Stretch['kind'], text: string): Node[] {
  if (kind === 'same') return nodesOf(text)
  return [element(kind === 'removed' ? 'del' : 'ins', {}, ...nodesOf(text))]
}

const nodesOf = (text: string): Node[] =>
  visibleParts(text).map((part) =>
    part.kind === 'text' ? document.createTextNode(part.text) : element('span', { class: 'sign' }, part.text),
  )
