// What a page says that could not hold all questions.
import type { PageContents } from '../domain/page-data.ts'
import { element } from './element.ts'
import { fill, type Speech } from './words.ts'

export function leftOutNote(
  { leftOut }: PageContents,
  { words, plural, number }: Speech,
): HTMLElement | undefined {
  if (leftOut.turns === 0) return undefined
  const rest = leftOut.mattering === 0 ? words.leftOutOrdinary : words.leftOutMattering
  const told = `${plural(words.leftOut, leftOut.turns)}${fill(rest, { mattering: number(leftOut.mattering) })}`
  return element('p', { class: 'note-box' }, told)
}
