// Signs beside a question: words in frames, so that no meaning is in the colour alone.
import type { PageRow } from '../domain/page-data.ts'
import type { Context } from './context.ts'
import { element } from './element.ts'
import { signsOf, type ListName } from './lists.ts'

const TONES: Partial<Record<ListName, string>> = {
  failed: 'bad',
  error: 'bad',
  lost: 'bad',
  newlyFailing: 'bad',
  noAnswer: 'bad',
  failInBoth: 'bad',
  gap: 'other',
  gained: 'kb',
  mended: 'kb',
  answeredAgain: 'kb',
  factsChanged: 'warn',
  otherAnswer: 'warn',
  flaky: 'warn',
  contextLost: 'warn',
  review: 'warn',
}

/** Of several rows each sign once. */
export function signs(rows: readonly PageRow[], { speech: { words }, store }: Context): HTMLElement[] {
  const names = new Set<ListName | 'added'>(rows.flatMap(signsOf))
  // A comparison says of each question what became of it, but for those that are new.
  if (store.contents.kind === 'comparison' && rows.some(({ changed }) => changed === null)) names.add('added')
  return [...names].map((name) => {
    const tone = name === 'added' ? '' : (TONES[name] ?? '')
    return element('span', { class: `sign-of ${tone}`.trim() }, words.lists[name])
  })
}
