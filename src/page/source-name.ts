// A source as people read it: the endpoint may name it with nothing at all.
import { element } from './element.ts'
import { inlineText } from './hostile-text.ts'
import { visibleText } from './visible.ts'
import type { Speech } from './words.ts'

const isBlank = (source: string): boolean => source.trim() === ''

/** For menus, which hold plain text. */
export const sourceName = (source: string, { words }: Speech): string =>
  isBlank(source) ? words.emptyText : visibleText(source)

export const sourceText = (source: string, { words }: Speech): HTMLElement =>
  isBlank(source) ? element('span', {}, words.emptyText) : inlineText(source)
