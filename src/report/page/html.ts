// HTML that is safe by its type: whatever is put into a template is escaped, unless it is such HTML already.
import { showActing } from '../../domain/text.ts'

/** Made by `html` alone. */
export class SafeHtml {
  readonly #text: string
  private constructor(text: string) {
    this.#text = text
  }
  static readonly of = (text: string): SafeHtml => new SafeHtml(text)
  toString(): string {
    return this.#text
  }
}

type Part = SafeHtml | string | number | null | undefined | readonly Part[]

/** In elements and in quoted attributes; never in scripts, styles, unquoted attributes or addresses that may hold a scheme. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): SafeHtml {
  return SafeHtml.of(pieces.map((piece, place) => piece + render(parts[place])).join(''))
}

function render(part: Part): string {
  if (part === null || part === undefined) return ''
  if (part instanceof SafeHtml) return part.toString()
  if (typeof part === 'object') return part.map(render).join('')
  return escapeHtml(String(part))
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What would turn the direction of a text, or hide in it, is shown by its number: here, so that no text gets past it. */
export const escapeHtml = (text: string): string =>
  showActing(text).replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
