// What is to do in the articles after a run, as one list by article. No zod: a page may read this, too.
import { articleSays, type Contradiction, type NamedSection, sectionName } from './articles.ts'
import type { PageTurn } from './conversations.ts'
import { compareTexts } from './text.ts'

/** `write`: a person said that no article answers; `mend`: an answer gives a fact that no article bears out. */
export interface ToDo {
  readonly kind: 'contradiction' | 'mend' | 'write'
  /** It is null where an article is to be written, or where a fact has no likely source. */
  readonly article: NamedSection | null
  /** It is null for a contradiction. */
  readonly question: { readonly id: string; readonly message: string } | null
  /** What is wrong, as in `20 minutes; Password reset says 30 minutes`; untrusted. */
  readonly text: string
}

/** Articles by title, what is to be written last. The same question stands once, whatever its repeats. */
export function listToDo(
  turns: readonly PageTurn[],
  contradictions: readonly Contradiction[],
  people: {
    readonly hasNoArticle: (turn: PageTurn) => boolean
    readonly isGood: (turn: PageTurn) => boolean
  },
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
    ...turns.flatMap((turn): ToDo[] => {
      if (turn.grounded === false) return people.hasNoArticle(turn) ? [writing(turn)] : []
      return people.isGood(turn) ? [] : mending(turn)
    }),
  ]
  const once = new Map(all.map((item) => [JSON.stringify(item), item]))
  const titleOf = ({ article }: ToDo): string => article?.title ?? '\uffff'
  return [...once.values()].toSorted((a, b) => compareTexts(titleOf(a), titleOf(b)))
}

const writing = ({ id, message }: PageTurn): ToDo => ({
  kind: 'write',
  article: null,
  question: { id, message },
  text: '',
})

const mending = ({ id, message, articles }: PageTurn): ToDo[] =>
  articles?.kind !== 'answer'
    ? []
    : articles.doubtful.map((fact) => ({
        kind: 'mend',
        article: fact.instead ?? fact.at ?? articles.source,
        question: { id, message },
        text: [fact.text, articleSays(fact)].filter((part) => part !== '').join('; '),
      }))
