// What an edit of the articles will do to the recorded answers of a run: found before it is published.
import type { Cause, NamedArticle, NamedSection, SectionValue } from './articles.ts'
import type { ListedQuestion } from './summary.ts'

export interface Rehearsal {
  readonly formatVersion: 1
  readonly harnessVersion: string
  readonly run: string
  readonly was: string
  readonly now: string
  readonly questions: number
  readonly edited: readonly EditedArticle[]
  readonly affected: readonly Affected[]
  readonly values: readonly ReplacedValue[]
  readonly moved: readonly MovedQuestions[]
}

export interface EditedArticle {
  readonly kind: 'edited' | 'added' | 'removed'
  readonly article: string
  readonly title: string
  readonly affected: number
}

/** Where several are true of a question, the first of this list is said. */
export const EFFECTS = [
  'outdated',
  'lost',
  'moved',
  'changed',
  'weaker',
  'closes',
  'mayClose',
  'follows',
  'fragile',
] as const
export type Effect = (typeof EFFECTS)[number]

export interface Affected extends ListedQuestion {
  readonly effect: Effect
  /** Its section is edited, but what the answer says stands as it was. */
  readonly isBeside?: boolean
  readonly before: NamedSection | null
  readonly after: NamedSection | null
  /** Values of the recorded answer that will be out of date; `now` is null where the edit gives no other. */
  readonly values: readonly { readonly old: string; readonly now: string | null }[]
  readonly cause?: { readonly before: Cause; readonly after: Cause }
}

export interface ReplacedValue {
  readonly section: NamedSection
  readonly old: string
  /** It is null where the sentence was removed. */
  readonly now: string | null
  /** Other articles that still give the old value, those first that speak of the same matter. */
  readonly elsewhere: readonly (SectionValue & { readonly isSameMatter: boolean })[]
}

export interface MovedQuestions {
  readonly from: NamedArticle
  readonly to: NamedArticle | null
  readonly questions: readonly ListedQuestion[]
}
