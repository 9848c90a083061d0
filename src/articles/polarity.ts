// What an answer allows and its source forbids, or the other way round: "You can change it".
import { NEGATION } from './fact-words.ts'
import type { Passage, Passages } from './passages.ts'
import { type Language, termsOf } from '../text/words.ts'

const word = (pattern: string, flags = 'giu'): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, flags)

const FORBIDS = word(
  "can ?not|can't|may not|could(?: not|n't)|(?:not|\\p{L}+n't) (?:be )?(?:able|allowed|permitted|possible)" +
    '|unable|forbidden|prohibited|impossible|verboten|untersagt|unmöglich|nicht (?:erlaubt|gestattet|möglich)' +
    "|(?:kann|kannst|können|darf|darfst|dürfen)(?: [\\p{L}\\p{N}'-]+){0,8}? (?:nicht|kein\\p{L}{0,2})" +
    "|ne (?:\\p{L}+ )?(?:peut|peuvent|pouvez|pourrez) (?:pas|plus)|n'est pas (?:permis|autorisé|possible)e?|interdite?s?" +
    '|no (?:se )?(?:l[aeo]s? )?(?:puede[ns]?|podrá[ns]?)|no (?:es|está) (?:posible|permitid[oa])|prohibid[oa]s?',
)
const ALLOWS = word(
  'can|may|could|able|allowed|permitted|possible|kann|kannst|können|darf|darfst|dürfen|erlaubt|gestattet|möglich' +
    '|peut|peuvent|pouvez|pourrez|permise?s?|autorisée?s?|possibles?|puede[ns]?|podrá[ns]?|permitid[oa]s?|posibles?',
)
/** With one of these it holds for a part, or for a time: what is not understood is not flagged. */
const LIMITS = word(
  `${NEGATION}|if|unless|only|except|until|after|before|when|while|once|during|than|some|but|yet|still|longer|otherwise` +
    '|wenn|falls|nur|außer|erst|bis|nach|vor|während|sobald|mehr|si|sauf|seulement|avant|après|lorsque|quand|pendant' +
    '|s[oó]lo|salvo|excepto|antes|después|cuando|hasta|mientras',
  'iu',
)

/** A part of a sentence that allows or forbids something. */
export interface Permission {
  readonly isAllowed: boolean
  readonly text: string
  /** In the sentence. */
  readonly start: number
  readonly terms: ReadonlySet<string>
}

/** Its parts that allow or forbid one thing, without a condition. */
export const permissionsIn = (sentence: string, language: Language | undefined): Permission[] =>
  [...sentence.matchAll(/[^,;:.!?()]+/gu)].flatMap(({ 0: text, index: start }) => {
    const rest = text.replaceAll(FORBIDS, ' ')
    const [forbids, allows] = [text.match(FORBIDS)?.length ?? 0, rest.match(ALLOWS)?.length ?? 0]
    if (forbids + allows !== 1 || LIMITS.test(rest)) return []
    return {
      isAllowed: allows === 1,
      text,
      start,
      terms: new Set(termsOf(rest.replaceAll(ALLOWS, ' '), language)),
    }
  })

/** Of the weight of the lighter, and of the heavier of two permissions, what those of one thing share. */
const MIN_SHARED = 0.8
const MIN_SHARED_OF_BOTH = 0.5

const permissions = new WeakMap<Passage, readonly Permission[]>()

/** The sentence of the source that says the opposite; null where one says the same; else undefined. */
export function oppositeOf(
  { isAllowed, terms }: Permission,
  source: readonly Passage[],
  passages: Passages,
): Passage | null | undefined {
  let [opposite, weight]: [Passage | null | undefined, number] = [undefined, 0]
  for (const passage of source) {
    if ([...terms].filter((term) => passage.terms.has(term)).length < 2) continue
    const found = permissions.get(passage) ?? permissionsIn(passage.text, passage.language)
    permissions.set(passage, found)
    for (const other of found) {
      const shared = new Set([...terms].filter((term) => other.terms.has(term)))
      const [lighter = 0, heavier = 0] = [terms, other.terms]
        .map((all) => passages.weigh(all))
        .sort((a, b) => a - b)
      const both = passages.weigh(shared)
      const isSameThing =
        shared.size >= 2 && both >= MIN_SHARED * lighter && both >= MIN_SHARED_OF_BOTH * heavier
      if (!isSameThing || both < weight || (both === weight && opposite === null)) continue
      weight = both
      opposite = other.isAllowed === isAllowed ? null : passage
    }
  }
  return opposite
}
