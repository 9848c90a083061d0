// What articles say of one turn; texts are untrusted. No zod, not even a type: the page reads this.

export const CAUSES = ['not-used', 'no-article', 'unclear'] as const
export type Cause = (typeof CAUSES)[number]

export const CAUSE_LABELS: Readonly<Record<Cause, string>> = {
  'not-used': 'article on this topic',
  'no-article': 'no article',
  unclear: 'unclear',
}

interface Said {
  readonly by: string | null
  readonly at: string | null
}

/** One of id and text may be empty. `article` undefined: what was decided before is taken back. */
export interface NewDecision extends Said {
  readonly id: string
  readonly message: string
  readonly article?: string | null | undefined
}

export interface Decision extends NewDecision {
  /** It is null where no article answers it. */
  readonly article: string | null
}

export interface NamedArticle {
  readonly article: string
  readonly title: string
}

export interface NamedSection extends NamedArticle {
  /** It is empty for the text before the first heading. */
  readonly section: string
  /** It is https, or null. */
  readonly url: string | null
}

export interface SectionValue extends NamedSection {
  readonly text: string
}

export interface DoubtfulFact {
  /** No article has it (`unsupported`), or one has it for what may be another matter (`elsewhere`). */
  readonly kind: 'unsupported' | 'elsewhere'
  readonly text: string
  readonly start: number
  readonly end: number
  readonly sentence: string
  readonly instead: SectionValue | null
  readonly at: NamedSection | null
}

export interface GapTurn {
  readonly kind: 'gap'
  readonly cause: Cause
  readonly because: string
  readonly decision: Said | null
  /** The best comes first; there are at most three. */
  readonly nearest: readonly Candidate[]
}

export interface Candidate extends NamedSection {
  readonly has?: readonly string[]
  readonly lacks?: readonly string[]
}

export interface AnswerTurn {
  readonly kind: 'answer'
  readonly source: NamedSection | null
  readonly misfit: NamedSection | null
  /** Counts the facts that were looked for; 0 is "not checked". */
  readonly checked: number
  readonly doubtful: readonly DoubtfulFact[]
  /** Where the answer has the facts that are borne out. */
  readonly held: readonly (readonly [start: number, end: number])[]
}

export type TurnArticles = GapTurn | AnswerTurn

export interface ArticleRecord extends NamedArticle {
  readonly url: string | null
  readonly digest: string
  readonly answered: number
  /** Gaps count that the article is nearest to, whatever their cause. */
  readonly gaps: number
  /** Facts count that it does not bear out, in answers that are likely from it. */
  readonly unsupported: number
  /** These articles give another value for the same matter, or nearly repeat it. */
  readonly contradicts: readonly string[]
  /** These are likely answered from it, by id; a later comparison finds those that an edit concerns. */
  readonly questions?: readonly string[]
}

/** An article to read; `note` says where it is not what a run was held against. */
export interface WholeArticle {
  readonly title: string
  readonly sections: readonly { readonly heading: string; readonly text: string }[]
  readonly note: string
}

/** Two sections that give different values for one matter, or two articles that nearly say the same. */
export interface Contradiction {
  readonly kind: 'value' | 'copy'
  readonly sections: [SectionValue, SectionValue]
}

export interface ArticleMatch {
  readonly read: number
  /** Questions count by what the nearest article seems to say; a follow-up is asked with its opening. */
  readonly counts: Readonly<Record<Cause, number>>
  /** Each question has an entry; null where no article is near. */
  readonly nearest: readonly { readonly id: string; readonly cause: Cause; readonly article: string | null }[]
  readonly without: readonly {
    readonly id: string
    readonly message: string
    readonly nearest: NamedSection | null
  }[]
  readonly unreached: readonly NamedArticle[]
}

export function sectionsOf(articles: TurnArticles | null): readonly NamedSection[] {
  if (articles === null) return []
  if (articles.kind === 'gap') return articles.nearest
  const { source, misfit, doubtful } = articles
  return [source, misfit, ...doubtful.flatMap(({ instead, at }) => [instead, at])].filter(
    (section) => section !== null,
  )
}

/** The facts on which nobody has decided: their value is not expected yet, nor are they forbidden. */
export const openFacts = (
  articles: TurnArticles | null,
  expected: readonly string[],
): readonly DoubtfulFact[] =>
  articles?.kind === 'answer'
    ? articles.doubtful.filter(({ text, instead }) => !expected.includes(instead?.text ?? text))
    : []

/** A web page may have its title once more as its first heading. */
export const sectionName = ({ title, section }: NamedSection): string =>
  section === '' || section === title ? title : `${title} › ${section}`

/** Writes `Password reset says 30 minutes`, `in Shift swaps, …`; empty where no article has such a fact. */
export function articleSays({ instead, at }: DoubtfulFact): string {
  if (instead !== null) return `${instead.title} says ${instead.text}`
  return at === null ? '' : `in ${at.title}, perhaps for another matter`
}
