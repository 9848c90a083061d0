// Warnings beside figures: about the endpoint, restarts and lost journal records.
import type { Manifest } from '../../options/manifest.ts'
import { digits, listCounts, listNames } from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import { attemptsUnreadable } from './messages.ts'
import type { LoadFigures } from '../../domain/load.ts'
import type { Figures } from '../../domain/summary.ts'
import type { Model } from '../figures/fold.ts'

export function runWarnings(
  figures: Figures,
  manifest: Manifest,
  { lost, orphans, restarts, stop, tries }: Model,
  notes: readonly string[],
): Message[] {
  const { total, notSent } = figures.turns
  const unconfirmed = [...tries.values()].filter((turns) => turns.some((turn) => turn.outcome !== 'answered'))
  const restarted = [...restarts.values()].reduce((sum, count) => sum + count, 0)
  const warnings = notedWarnings(manifest, notes)
  const warn = (code: string, text: string): void => void warnings.push(makeMessage(code, text))
  if (stop?.kind === 'decided' && notSent > 0)
    warn(
      'figures-of-part',
      `Figures are of a part: ${digits(total - notSent)} of ${digits(total)} questions have an outcome. ` +
        'The verdict is the one of the whole.',
    )
  if (stop?.kind === 'done' && unconfirmed.length > 0)
    warn(
      'not-confirmed',
      'Questions that failed and have fewer answers than --confirm asks for: ' +
        `${digits(unconfirmed.length)}. The calls of --max-calls were used up, or ended in errors.`,
    )
  warnings.push(...endpointWarnings(figures, manifest.options))
  if (restarted > 0)
    warn(
      'threads-restarted',
      `Conversations sent again from the start: ${digits(restarted)} (${listCounts([...restarts])}). The ` +
        'account counts every attempt; results.csv shows the last answers.',
    )
  if (lost + orphans > 0) warnings.push(attemptsUnreadable(lost + orphans))
  return warnings
}

/** Warnings from reading the question sets come before those from reading the journals. */
export const notedWarnings = ({ warnings }: Manifest, notes: readonly string[]): Message[] =>
  [...warnings, ...notes].map((text) => makeMessage('noted', text))

/** None of fewer answers may be grounded by chance. */
const ENOUGH_ANSWERS = 5

export function endpointWarnings(
  { turns, contextSource, quota }: Figures | LoadFigures,
  { groundedSources }: Manifest['options'],
): Message[] {
  const { answered, contextLost } = turns
  const isGrounding = Object.keys(contextSource).some((value) => groundedSources.includes(value))
  const warnings: Message[] = []
  const warn = (code: string, text: string): void => void warnings.push(makeMessage(code, text))
  if (answered >= ENOUGH_ANSWERS && !isGrounding)
    warn(
      'no-grounded-source',
      `No answer has the source ${listNames(groundedSources)}. If your endpoint uses another name for its ` +
        'knowledge base, set --grounded-sources.',
    )
  if (contextLost > 0)
    warn(
      'context-lost',
      `Answers without context: ${digits(contextLost)}. The endpoint returned a different conversationId. ` +
        'If it does so each turn, use --rotating-ids.',
    )
  if (quota.notCounted > 0)
    warn(
      'not-counted',
      `Attempts that were refused or never arrived: ${digits(quota.notCounted)}. They are assumed not to ` +
        'count toward the quota.',
    )
  return warnings
}
