// Signs beside a question: words in frames, so that no meaning is in the colour alone.
import type { PageRow } from '../domain/page-data.ts'
import type { Context } from './context.ts'
import { element } from './element.ts'
import { LIST_NAMES, signsOf, type ListName } from './lists.ts'

const TONES: Partial<Record<ListName, string>> = {
  failed: 'bad',
  error: 'bad',
  lost: 'bad',
  newlyFailing: 'bad',
  noAnswer: 'bad',
  failInBoth: 'bad',
  gap: 'other',
  gained: 'kb',
  fixed: 'kb',
  answeredAgain: 'kb',
  factsChanged: 'warn',
  otherAnswer: 'warn',
  flaky: 'warn',
  contextLost: 'warn',
  review: 'warn',
}

/** Of the questions of a conversation at these places: each sign once, in the order of the lists. */
export function signsOfConversation(places: readonly number[], context: Context): HTMLElement[] {
  const rows = places.flatMap((place) => context.store.rows[place] ?? [])
  return signs(places, rows, context)
}

/** Of one question, which says that it must pass whether or not it did. */
export function signsOfTurn(place: number, context: Context): HTMLElement[] {
  const row = context.store.rows[place]
  if (row === undefined) return []
  const { words } = context.speech
  const isCalm = row.mustPass && row.passed !== false
  return [...(isCalm ? [sign(words.lists.mustPass, '')] : []), ...signs([place], [row], context)]
}

/** In the place of those that stand among the children of a line: before what comes after them. */
export function renewSigns(line: Element, renewed: readonly HTMLElement[]): void {
  const stood = [...line.children].filter((child) => child.classList.contains('sign-of'))
  const heading = line.querySelector(':scope > h4')
  for (const one of stood) one.remove()
  if (heading === null) line.prepend(...renewed)
  else heading.after(...renewed)
}

function signs(
  places: readonly number[],
  rows: readonly PageRow[],
  { speech, store, marks }: Context,
): HTMLElement[] {
  const { lists } = speech.words
  const names = new Set(
    places.flatMap((place) => {
      const row = store.rows[place]
      return row === undefined ? [] : signsOf(row, marks.at(place))
    }),
  )
  const failed = rows.filter(({ passed }) => passed === false)
  // Of a conversation, one question may have to pass and another fail: only what is both is said as both.
  const mustPass = failed.some((row) => row.mustPass)
  if (failed.every((row) => row.mustPass)) names.delete('failed')
  return [
    ...(mustPass ? [sign(lists.mustPassFailed, 'bad')] : []),
    ...LIST_NAMES.filter((name) => names.has(name)).map((name) => sign(lists[name], TONES[name] ?? '')),
    // A comparison says of each question what became of it, but for those that are new.
    ...(store.contents.kind === 'comparison' && rows.some(({ changed }) => changed === null)
      ? [sign(lists.added, '')]
      : []),
  ]
}

const sign = (text: string, tone: string): HTMLElement =>
  element('span', { class: `sign-of ${tone}`.trim() }, text)
