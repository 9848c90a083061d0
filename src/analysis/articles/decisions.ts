// What people decided about questions: which article answers one, or that none does.
import type { ArticleIndex } from '../../articles/index.ts'
import { LookUp } from '../../articles/look-up.ts'
import type { Decision } from '../../domain/articles.ts'
import type { NamedQuestion } from '../../domain/conversations.ts'
import { foldText } from '../../text/fold.ts'
import type { Question } from '../../domain/question.ts'

/**
 * A decision belongs to the question with its id and its text; else to any first question of a conversation
 * with its text: a follow-up with the same words may mean something else. The last one counts.
 */
export function decisionsOn(decisions: readonly Decision[], ids: ReadonlySet<string>) {
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
  const others = decisions.filter((decision) => !isKnown(decision))
  return {
    /** Questions that an article answers, by its id, are text of that article for the index. */
    askedAs,
    none,
    unknown: [...new Set(others.flatMap(({ article }) => article ?? []))],
    of: ({ id, message, turn }: Question | NamedQuestion): Decision | undefined => {
      const key = foldText(message)
      const withId = byId.get(id)
      const isSame = withId !== undefined && (withId.message === '' || foldText(withId.message) === key)
      const decision = isSame ? withId : turn > 1 ? undefined : byText.get(key)
      return decision !== undefined && isKnown(decision) ? decision : undefined
    },
  }
}

/** Questions differ if less than this of either is in the other. */
const MIN_HELD = 0.6
const MIN_HELD_OF_DECIDED = 0.5

export class NoneEntries {
  readonly #entries: readonly LookUp[]

  constructor(index: ArticleIndex, questions: readonly string[]) {
    this.#entries = questions.map((question) => new LookUp(index, question))
  }

  alike(look: LookUp): string | undefined {
    return this.#entries.find(
      (entry) => look.heldBy(entry) >= MIN_HELD && entry.heldBy(look) >= MIN_HELD_OF_DECIDED,
    )?.question
  }
}
