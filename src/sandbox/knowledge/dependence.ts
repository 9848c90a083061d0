// Whether a question can be understood alone, from how it is built: pronouns, openings, fragments.
import { splitWords } from './words.ts'

/**
 * `reference`: a pronoun or the like in it points to an earlier turn. `opening`: it begins like a continuation
 * ("And for Macs?"), but may name a new topic. `definite`: it is short and speaks of "the copies" as if they had
 * been spoken of, unless it means the one thing that everybody knows. `none`: a question of its own, as far as
 * grammar can tell.
 */
export type Dependence = 'reference' | 'opening' | 'definite' | 'none'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const PRONOUNS = words(
  'it its itself they them their theirs themselves those these he him his she her hers ones',
)
/** After these, "that" and "this" stand for something; elsewhere they join clauses or point at a noun. */
const BEFORE_DEMONSTRATIVE = words(
  'about after and are as at be before besides but by can could did do does doing for from has if in into is like of on or should so than then to under was will with without would',
)
const AFTER_THIS = words(
  'morning afternoon evening week month year time quarter summer winter company office',
)
const BEFORE_ONE = words(
  'a an another big bigger different new next old other second such that the this which wrong',
)
const CLAUSE_OPENERS = words(
  'and but if when because so how what who where which why while since after before',
)
const OPENINGS =
  /^(?:(?:ok|okay|right|great|thanks|thank you|sure|hm+|well)\b[\s,.!]*)*(?:and|but|or|so|then|also|plus|except|otherwise|same|what about|how about|what if|even if|only if|how come|what else|who else|where else|anything else)\b/
/** At the end, these set a question beside an earlier one. */
const ENDINGS = /\b(?:then|too|either|instead|otherwise|afterwards|inside|as well|in that case)\W*$/
const FRAGMENT_OPENERS = words(
  'for on with without in from after before at by during until under as to also even only not just through',
)
const FRAGMENT_LENGTH = 5
const DEFINITES = words('the this that these those')
const DEFINITE_LENGTH = 8
/** It stands for nothing here: "Is it possible to …", "How long does it take to …". */
const EXPLETIVE =
  /\bit (?:\w+ )?(?:possible|ok|okay|allowed|safe|normal|true|take|takes|took|cost|costs|hard|better|necessary) (?:to|that|if|for) (?:\w+ ){2}/g

/** `isTopic` says whether a word may be what a later pronoun stands for. */
export function dependenceOf(message: string, isTopic: (word: string) => boolean): Dependence {
  // "IT" in capitals is a department.
  const text = message.replaceAll(/\bIT\b/g, 'helpdesk').toLowerCase()
  if (ENDINGS.test(text) || pointsBack(text.replaceAll(EXPLETIVE, ' '), isTopic)) return 'reference'
  if (OPENINGS.test(text.trim())) return 'opening'
  const all = splitWords(text)
  if (FRAGMENT_OPENERS.has(all[0] ?? '') && all.length <= FRAGMENT_LENGTH) return 'opening'
  return all.length <= DEFINITE_LENGTH && all.some((word) => DEFINITES.has(word)) ? 'definite' : 'none'
}

/** A pronoun refers back to the same message only across a clause: "If I lose my badge, who replaces it?" */
function pointsBack(text: string, isTopic: (word: string) => boolean): boolean {
  let hasTopicInClause = false
  let hasAntecedent = false
  let previous = ''
  const tokens = text.match(/[\p{L}\p{N}'’-]+|[,.;:?!()–—]/gu) ?? []
  for (const [index, token] of tokens.entries()) {
    const word = token.replace(/['’].*$/, '')
    if (!/[\p{L}\p{N}]/u.test(token) || CLAUSE_OPENERS.has(word)) {
      hasAntecedent ||= hasTopicInClause
      hasTopicInClause = false
    }
    if (!hasAntecedent && isPronoun(word, previous, tokens[index + 1] ?? '')) return true
    hasTopicInClause ||= isTopic(word)
    previous = word
  }
  return false
}

function isPronoun(word: string, previous: string, next: string): boolean {
  if (PRONOUNS.has(word)) return true
  const isLast = !/[\p{L}\p{N}]/u.test(next)
  if (word === 'that') return previous === '' || isLast || BEFORE_DEMONSTRATIVE.has(previous)
  if (word === 'this')
    return !AFTER_THIS.has(next) && (isLast || previous === '' || BEFORE_DEMONSTRATIVE.has(previous))
  if (word === 'one') return BEFORE_ONE.has(previous)
  return (
    word === 'there' &&
    !/^(?:is|are|was|were|be|s|a|any|some|an|no)$/.test(next) &&
    !/^(?:is|are|was|were)$/.test(previous)
  )
}
