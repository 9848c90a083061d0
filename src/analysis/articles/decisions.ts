// What people decided about questions: which article answers one, or that none does.
import type { ArticleIndex } from '../../articles/index.ts'
import { LookUp } from '../../articles/look-up.ts'
import type { Decision } from '../../domain/articles.ts'
import { foldText } from '../../text/fold.ts'
import type { Question } from '../../domain/question.ts'

/** The decisions of people, found by question. */
export interface Decisions {
  readonly of: (question: Question) => Decision | undefined
  /** Questions that an article answers, by its id: text of that article, for the index. */
  readonly askedAs: ReadonlyMap<string, readonly string[]>
  /** Questions that no article answers. */
  readonly none: readonly string[]
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
    askedAs,
    none,
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

/** Where less of a question is the same, or less of the decided one, they differ. */
const MIN_HELD = 0.6
const MIN_HELD_OF_DECIDED = 0.5

/** Questions that no article answers, compared by their terms. */
export class NoneEntries {
  readonly #entries: readonly LookUp[]

  constructor(index: ArticleIndex, questions: readonly string[]) {
    this.#entries = questions.map((question) => new LookUp(index, question))
  }

  /** The one that is nearly the same: it holds most of the other question's weight, and that half of its own. */
  alike(look: LookUp): string | undefined {
    return this.#entries.find(
      (entry) => look.heldBy(entry) >= MIN_HELD && entry.heldBy(look) >= MIN_HELD_OF_DECIDED,
    )?.question
  }
}
