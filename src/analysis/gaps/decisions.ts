// What people decided about questions: which article answers one, or that none does.
import type { Teaching } from '../../articles/index.ts'
import type { Decision } from '../../domain/articles.ts'
import { foldText } from '../../text/fold.ts'
import type { Question } from '../../domain/question.ts'

/** The decisions of people, found by question. */
export interface Decisions {
  /** What the index learns of them. */
  readonly teaching: Pick<Teaching, 'askedAs' | 'none'>
  readonly of: (question: Question) => Decision | undefined
  /** The articles that are named and do not exist. */
  readonly unknown: readonly string[]
}

/**
 * A decision belongs to the question with its id and its text, where it has both; else to any first question of a
 * conversation with its text: a follow-up with the same words may mean something else. The last one counts.
 */
export function decisionsOn(decisions: readonly Decision[], ids: ReadonlySet<string>): Decisions {
  const byId = new Map<string, Decision>()
  const byText = new Map<string, Decision>()
  for (const decision of decisions) {
    if (decision.id !== '') byId.set(decision.id, decision)
    if (decision.message !== '') byText.set(foldText(decision.message), decision)
  }
  const isKnown = ({ article }: Decision): boolean => article === null || ids.has(article)
  const askedAs = new Map<string, string[]>()
  const none: string[] = []
  for (const { article, message } of [...byText.values()].filter(isKnown)) {
    if (article === null) none.push(message)
    else askedAs.set(article, [...(askedAs.get(article) ?? []), message])
  }
  return {
    teaching: { askedAs, none },
    unknown: [...new Set(decisions.filter((one) => !isKnown(one)).flatMap(({ article }) => article ?? []))],
    of: ({ id, message, turn }) => {
      const key = foldText(message)
      const own = byId.get(id)
      const isOwn = own !== undefined && (own.message === '' || foldText(own.message) === key)
      const found = isOwn ? own : turn > 1 ? undefined : byText.get(key)
      return found !== undefined && isKnown(found) ? found : undefined
    },
  }
}
