// What other repeats of a question came to in a comparison, which shows one repeat of several.
import type { OtherAnswer } from '../domain/comparison/change.ts'
import type { PageContents } from '../domain/page-data.ts'
import type { PageTurn } from '../domain/page.ts'
import { noAnswer, pane } from './answers.ts'
import { element } from './element.ts'
import { passage } from './hostile-text.ts'
import { fill, type Speech } from './words.ts'

/** Empty where each run gave one answer. */
export function otherAnswersOf(
  { others, change }: PageTurn,
  { names }: PageContents,
  speech: Speech,
): HTMLElement[] {
  const told = (name: string, answers: readonly OtherAnswer[]): HTMLElement[] =>
    answers.length === 0
      ? []
      : [pane(fill(speech.words.otherAnswers, { name }), ...answers.flatMap((one) => shown(one, speech)))]
  return [...told(names.baseline ?? '', change?.others ?? []), ...told(names.candidate, others)]
}

function shown({ repeats, answer, outcome }: OtherAnswer, speech: Speech): HTMLElement[] {
  const { words, plural, number } = speech
  const which = plural(words.atRepeats, repeats.length, { repeats: repeats.map(number).join(', ') })
  return [
    element('p', { class: 'muted' }, which),
    answer === null ? noAnswer(outcome, null, speech) : passage(answer, speech),
  ]
}
