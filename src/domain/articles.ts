// What the organization's own articles say of one turn. Texts are untrusted. No zod here, not even a type:
// the page takes it into the browser.

export const CAUSES = ['not-used', 'no-article', 'unclear'] as const
export type Cause = (typeof CAUSES)[number]

export const CAUSE_LABELS: Readonly<Record<Cause, string>> = {
  'not-used': 'article on this topic',
  'no-article': 'no article',
  unclear: 'unclear',
}

export interface Decision {
  /** Id and text of the question: one of both may be empty. */
  readonly id: string
  readonly message: string
  /** The id of the article that answers it; null where none does. */
  readonly article: string | null
  /** Who and when, as written. */
  readonly by: string | null
  readonly at: string | null
}

export interface NamedSection {
  readonly article: string
  readonly title: string
  /** Its heading; empty for the text before the first one. */
  readonly section: string
  /** It is https, or null. */
  readonly url: string | null
}

export interface SectionValue extends NamedSection {
  readonly text: string
}

export interface DoubtfulFact {
  /** `unsupported`: in no article for this. `elsewhere`: only in one that its sentence does not resemble. */
  readonly kind: 'unsupported' | 'elsewhere'
  readonly text: string
  /** Start and end are offsets in the answer. */
  readonly start: number
  readonly end: number
  readonly sentence: string
  /** What a section gives for the same matter, if one does. */
  readonly instead: SectionValue | null
  /** The section that has an `elsewhere`. */
  readonly at: NamedSection | null
}

export interface GapTurn {
  readonly kind: 'gap'
  readonly cause: Cause
  readonly because: string
  /** Null where no person said the cause. */
  readonly decision: Pick<Decision, 'by' | 'at'> | null
  /** At most three, best first. */
  readonly nearest: readonly NamedSection[]
}

export interface AnswerTurn {
  readonly kind: 'answer'
  readonly source: NamedSection | null
  readonly misfit: NamedSection | null
  /** The number of facts that were looked for; 0 is "not checked". */
  readonly checked: number
  readonly doubtful: readonly DoubtfulFact[]
}

export type TurnArticles = GapTurn | AnswerTurn

export interface ArticleRecord extends Pick<NamedSection, 'article' | 'title' | 'url'> {
  readonly digest: string
  readonly answered: number
  /** Gaps that it is nearest to, whatever their cause. */
  readonly gaps: number
  /** Facts that it does not bear out, in answers that are likely from it. */
  readonly unsupported: number
  /** Ids of articles that give another value for the same matter, or nearly repeat it. */
  readonly contradicts: readonly string[]
}

/** Two sections that give different values for one matter, or two articles that nearly say the same. */
export interface Contradiction {
  readonly kind: 'value' | 'copy'
  /** The values are empty for a copy. */
  readonly sections: [SectionValue, SectionValue]
}

export interface ArticleMatch {
  readonly read: number
  /** Questions by what the nearest article seems to say; a follow-up is asked with its opening. */
  readonly counts: Readonly<Record<Cause, number>>
  readonly without: readonly {
    readonly id: string
    readonly message: string
    readonly nearest: NamedSection | null
  }[]
  readonly unreached: readonly Pick<NamedSection, 'article' | 'title'>[]
}

/** `Password reset › On a phone` */
export const sectionName = ({ title, section }: NamedSection): string =>
  section === '' ? title : `${title} › ${section}`

/** `Password reset says 30 minutes`, `only in Shift swaps`; empty where no article has such a fact. */
export function articleSays({ instead, at }: DoubtfulFact): string {
  if (instead !== null) return `${instead.title} says ${instead.text}`
  return at === null ? '' : `only in ${at.title}`
}
