// The facts of a turn: failures, source, time, attempts, ids.
import type { PageTurn } from '../domain/page.ts'
import { element } from './element.ts'
import { inlineText } from './hostile-text.ts'
import { sourceText } from './source-name.ts'
import { durationText, fill, type Speech } from './words.ts'

export function factsOf(turn: PageTurn, speech: Speech): HTMLElement {
  const { words } = speech
  const { change, latencyMs, waitMs, attempts, rateLimited } = turn
  const list = element('dl', { class: 'facts' })
  const add = (name: string, ...values: readonly (Node | string)[]): void => {
    if (values.length > 0)
      list.append(element('div', {}, element('dt', {}, name), element('dd', {}, ...values)))
  }
  const time = (ms: number | null | undefined): string[] =>
    ms === null || ms === undefined ? [] : [durationText(ms, speech)]
  const before = change !== null && change.source !== turn.source ? [sourceText(change.source, speech)] : []
  add(words.source, sourceText(turn.source, speech))
  add(words.sourceBefore, ...before)
  add(words.outcome, words.outcomes[turn.outcome ?? 'none'])
  add(words.latency, ...time(latencyMs))
  add(words.latencyBefore, ...time(change?.latencyMs))
  add(words.wait, ...time(waitMs === 0 ? null : waitMs))
  if (attempts !== null) {
    const counts = { attempts: speech.number(attempts), limited: speech.number(rateLimited ?? 0) }
    add(words.attempts, (rateLimited ?? 0) > 0 ? fill(words.attemptsLimited, counts) : counts.attempts)
  }
  if (turn.tags.length > 0)
    add(words.tags, ...turn.tags.map((tag) => inlineText(tag, 'code')).flatMap((tag) => [tag, ' ']))
  add(words.id, inlineText(turn.id, 'code'))
  if (turn.conversationId !== null) add(words.conversationId, inlineText(turn.conversationId, 'code'))
  return list
}

export function failuresOf({ failures, change }: PageTurn, { words }: Speech): HTMLElement[] {
  const before = change?.failures ?? []
  const isSame = before.join('\n') === failures.join('\n')
  return [
    ...sentences(words.failures, failures, 'failures'),
    ...(isSame ? [] : sentences(words.failuresBefore, before, 'muted')),
  ]
}

export function changedFactsOf({ change }: PageTurn, { words }: Speech): HTMLElement[] {
  if (change === null) return []
  return [
    ...sentences(
      words.factsLost,
      change.factsLost.map(({ text }) => text),
      'told',
    ),
    ...sentences(
      words.factsGained,
      change.factsGained.map(({ text }) => text),
      'told',
    ),
  ]
}

function sentences(heading: string, texts: readonly string[], kind: string): HTMLElement[] {
  if (texts.length === 0) return []
  const items = texts.map((text) => element('li', {}, inlineText(text, 'span')))
  return [element('div', { class: kind }, element('h4', {}, heading), element('ul', {}, ...items))]
}
