// Detects by pronouns and opening words whether a question depends on an earlier turn.
import { isTopic } from './words.ts'

/**
 * `reference`: contains a pronoun or similar word that refers to an earlier turn. `opening`: begins like a
 * continuation ("And for Macs?"), but may name a new topic. `none`: appears to stand alone.
 */
export type Dependence = 'reference' | 'opening' | 'none'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const PRONOUNS = words('it its itself they them their theirs those these he him his she her hers ones')
/** After these words, "that" and "this" are pronouns; elsewhere they are conjunctions or determiners. */
const BEFORE_DEMONSTRATIVE = words(
  'about after and are as at be before besides but by can could did do does doing for from has if in into is like of on or should so than then to under was will with without would',
)
const BEFORE_ONE = words('a an another big different new next old other second that the this which wrong')
const CLAUSE_OPENERS = words(
  'and but if when because so how what who where which why while since after before',
)
const OPENINGS =
  /^(?:(?:ok|okay|right|great|thanks|thank you|sure|hm+|well)\b[\s,.!]*)*(?:and|but|or|so|then|also|plus|except|otherwise|same|what about|how about|what if|even if|only if|how come|what else|who else|where else|anything else)\b/
/** "It" without a referent: "Is it possible to …", "How long does it take to …". */
const EXPLETIVE =
  /\bit (?:\w+ )?(?:possible|ok|okay|allowed|safe|normal|true|take|takes|took|cost|costs|hard|better|necessary) (?:to|that|if|for) (?:\w+ ){2}/g

export function classifyDependence(message: string): Dependence {
  // "IT" in capitals is a department.
  const text = message.replaceAll(/\bIT\b/g, 'helpdesk').toLowerCase()
  if (pointsBack(text.replaceAll(EXPLETIVE, ' '))) return 'reference'
  return OPENINGS.test(text.trim()) ? 'opening' : 'none'
}

/** A pronoun in a later clause may refer to the same message: "If I lose my badge, who replaces it?" */
function pointsBack(text: string): boolean {
  let hasTopicInClause = false
  let previous = ''
  const tokens = text.match(/[\p{L}\p{N}'’-]+|[,.;:?!()–—]/gu) ?? []
  for (const [index, token] of tokens.entries()) {
    const word = token.replace(/['’].*$/, '')
    if (hasTopicInClause && (!isWord(token) || CLAUSE_OPENERS.has(word))) return false
    if (isPronoun(word, previous, tokens[index + 1] ?? '')) return true
    hasTopicInClause ||= isTopic(word)
    previous = word
  }
  return false
}

const isWord = (token: string): boolean => /[\p{L}\p{N}]/u.test(token)

function isPronoun(word: string, previous: string, next: string): boolean {
  switch (word) {
    case 'this':
    case 'that':
      return previous === '' || !isWord(next) || BEFORE_DEMONSTRATIVE.has(previous)
    case 'one':
      return BEFORE_ONE.has(previous)
    case 'there':
      return (
        !/^(?:is|are|was|were|be|s|a|any|some|an|no)$/.test(next) && !/^(?:is|are|was|were)$/.test(previous)
      )
    default:
      return PRONOUNS.has(word)
  }
}
