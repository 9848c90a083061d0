// What a whole is made of: one bar in parts, told apart by their patterns as well as their colours, and the list of them.
import { html, type SafeHtml } from '../html.ts'
import { legend } from './legend.ts'
import { percentAlong } from './plot.ts'

export interface Part {
  readonly label: SafeHtml
  readonly count: number
  readonly words: string
  /** `kb`: from the knowledge base; `rest`: many small ones in one. */
  readonly kind: 'kb' | 'other' | 'rest'
}

const HEIGHT = 34
/** As many as can be told apart; further parts take them in turn. */
const PATTERNS = ['plain', 'rising', 'falling', 'dots', 'crossed'] as const

/** `id` is unique in the page. `label` says what the picture shows, in a sentence. */
export function stackedShare(id: string, parts: readonly Part[], label: string): SafeHtml {
  const whole = parts.reduce((sum, { count }) => sum + count, 0)
  let before = 0
  const drawn = parts.map((part, place) => {
    const [from, to] = [before / whole, (before + part.count) / whole]
    before += part.count
    return { part, from, to, ...fillOf(id, parts, place) }
  })
  return html`<svg
      class="stack"
      width="100%"
      height="${HEIGHT}"
      role="img"
      aria-label="${label}"
      focusable="false"
    >
      ${patternsOf(id)}${drawn.map(
        ({ from, to, kind, fill }) =>
          html`<rect
            class="part ${kind}"
            fill="${fill}"
            x="${percentAlong(from)}"
            width="${percentAlong(to - from)}"
            y="1"
            height="${HEIGHT - 2}"
          ></rect>`,
      )}</svg
    >${legend(
      drawn.map(({ part, kind, fill }) => ({
        words: html`${part.label}: ${part.words}`,
        sign: html`<rect class="part ${kind}" fill="${fill}" x="1" y="1" width="16" height="16"></rect>`,
        width: 18,
      })),
    )}`
}

/** Of each kind the first is plain, the next ones have patterns. */
function fillOf(id: string, parts: readonly Part[], place: number): { kind: string; fill: string } {
  const kind = parts[place]?.kind ?? 'other'
  const before = parts.slice(0, place).filter((one) => one.kind === kind).length
  // A plain part of another kind must differ in black and white, too.
  const number = kind === 'kb' ? before : before + 1
  const pattern = PATTERNS[number % PATTERNS.length] ?? 'plain'
  if (kind === 'rest' || pattern === 'plain') return { kind: `${kind} plain`, fill: 'none' }
  return { kind, fill: `url(#${id}-${kind}-${pattern})` }
}

const patternsOf = (id: string): SafeHtml =>
  html`<defs
    >${(['kb', 'other'] as const).map(
      (kind) =>
        html`<pattern
            id="${id}-${kind}-rising"
            class="${kind}"
            width="7"
            height="7"
            patternUnits="userSpaceOnUse"
            ><path d="M-1 8L8 -1"></path></pattern
          ><pattern
            id="${id}-${kind}-falling"
            class="${kind}"
            width="7"
            height="7"
            patternUnits="userSpaceOnUse"
            ><path d="M-1 -1L8 8"></path></pattern
          ><pattern id="${id}-${kind}-dots" class="${kind}" width="6" height="6" patternUnits="userSpaceOnUse"
            ><circle cx="3" cy="3" r="1.4"></circle></pattern
          ><pattern
            id="${id}-${kind}-crossed"
            class="${kind}"
            width="8"
            height="8"
            patternUnits="userSpaceOnUse"
            ><path d="M4 0V8M0 4H8"></path
          ></pattern>`,
    )}</defs
  >`
