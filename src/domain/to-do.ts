// What is to do in the articles after a run, as one list by article. No zod: a page may read this, too.
import { articleSays, type Contradiction, type NamedSection, openFacts, sectionName } from './articles.ts'
import type { PageTurn } from './conversations.ts'
import { compareTexts } from './text.ts'

/**
 * `write`: a person said that no article answers; `find`: one does, and the assistant did not use it; `mend`:
 * an answer gives a fact that no article bears out.
 */
export interface ToDo {
  readonly kind: 'contradiction' | 'find' | 'mend' | 'write'
  /** It is null where an article is to be written, or where a fact has no likely source. */
  readonly article: NamedSection | null
  readonly question: { readonly id: string; readonly message: string } | null
  /** What is wrong, as in `20 minutes; Password reset says 30 minutes`; untrusted. */
  readonly text: string
}

interface Said {
  /** Undefined where nobody decided; null: no article answers it. */
  readonly decidedOn: (turn: PageTurn) => NamedSection | null | undefined
  readonly isGood: (turn: PageTurn) => boolean
  readonly expectedOf: (turn: PageTurn) => readonly string[]
}

/** Articles by title, what is to be written last. The same question stands once, whatever its repeats. */
export function listToDo(
  turns: readonly PageTurn[],
  contradictions: readonly Contradiction[],
  said: Said,
): ToDo[] {
  const all = [
    ...contradictions.map(({ kind, sections: [first, second] }): ToDo => ({
      kind: 'contradiction',
      article: first,
      question: null,
      text:
        kind === 'copy'
          ? `nearly the same text as ${sectionName(second)}`
          : `${first.text}; ${sectionName(second)} says ${second.text}`,
    })),
    ...turns.flatMap((turn) => toDoOf(turn, said)),
  ]
  const once = new Map(all.map((item) => [JSON.stringify(item), item]))
  const titleOf = ({ article }: ToDo): string => article?.title ?? '\uffff'
  return [...once.values()].toSorted((a, b) => compareTexts(titleOf(a), titleOf(b)))
}

function toDoOf(turn: PageTurn, { decidedOn, isGood, expectedOf }: Said): ToDo[] {
  const { id, message, answer, grounded, articles } = turn
  const question = { id, message }
  const decided = decidedOn(turn)
  const find: ToDo[] = decided ? [{ kind: 'find', article: decided, question, text: '' }] : []
  if (grounded === false)
    return decided === null ? [{ kind: 'write', article: null, question, text: '' }] : find
  const expected = expectedOf(turn)
  if (articles?.kind !== 'answer' || isGood(turn) || expected.includes(answer ?? '')) return []
  const { source, misfit } = articles
  const facts = openFacts(articles, expected).map((fact): ToDo => ({
    kind: 'mend',
    article: fact.instead ?? fact.at ?? source,
    question,
    text: [fact.text, articleSays(fact)].filter((part) => part !== '').join('; '),
  }))
  return misfit === null || decided?.article === source?.article ? facts : [...find, ...facts]
}
