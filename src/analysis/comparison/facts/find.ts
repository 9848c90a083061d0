// Rules at work on a text: each is tried where its facts may begin, and strikes out what it has read.
import { openingsOf } from './openings.ts'
import { FIRST_LIST, type Places, placesOf } from './places.ts'
import { type Fact, type FactRule, trailing } from './rule.ts'
import { isOfWord, kindAt } from './signs.ts'

/** Stands for what a rule has read: no letter, digit, space or sign of any pattern. */
const READ = '\0'

/** A fact with its place: offsets in UTF-16 code units of the text that was read, without the sentence's full stop. */
export interface FoundFact {
  readonly at: number
  readonly end: number
  readonly fact: Fact
}

/** A rule with the bits of the places where it is tried. */
interface Placed {
  readonly rule: FactRule
  readonly bits: number
}

/** The rules in their order: what one has read, none after it sees. `find` says where they are tried, for tests. */
export function finderOf(
  rules: readonly FactRule[],
  find: typeof placesOf = placesOf,
): (text: string) => FoundFact[] {
  const lists = new Map<readonly string[], number>()
  const placed: Placed[] = rules.map((rule) => {
    const { begins, words } = rule.where
    if (words.length > 0 && !lists.has(words)) lists.set(words, FIRST_LIST << lists.size)
    return { rule, bits: begins | (lists.get(words) ?? 0) }
  })
  const openings = openingsOf(lists)

  return (text) => {
    const found: FoundFact[] = []
    let left = text
    let places = find(left, openings)
    let begun = beginningsIn(places)
    for (const one of placed) {
      if ((begun & one.bits) === 0) continue
      const struck = strike(left, one, places, found)
      left = struck.text
      if (!struck.hasCutWords) continue
      places = find(left, openings)
      begun = beginningsIn(places)
    }
    return found.sort((some, other) => some.at - other.at)
  }
}

/** All that may begin anywhere: most texts have nothing for most rules. */
const beginningsIn = ({ bits }: Places): number => bits.reduce((all, one) => all | one, 0)

interface Struck {
  readonly text: string
  /** Half of a word is left, and begins a new one. */
  readonly hasCutWords: boolean
}

function strike(text: string, { rule, bits }: Placed, places: Places, found: FoundFact[]): Struck {
  const { kind, pattern, read } = rule
  const { at: offsets, bits: beginnings } = places
  let struck = ''
  let hasCutWords = false
  /** The ends of what is copied, and of the match before. */
  let copied = 0
  let end = 0
  for (let place = 0; place < offsets.length; place += 1) {
    if (((beginnings[place] ?? 0) & bits) === 0) continue
    const at = offsets[place] ?? 0
    if (at < end || text.charCodeAt(at) === 0) continue
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const [whole] = match
    end = at + whole.length
    const values = read(match)
    if (values === undefined) continue
    const shown = values.length === 0 ? '' : withoutStop(whole)
    for (const value of values) found.push({ at, end: at + shown.length, fact: { kind, value, text: shown } })
    struck += text.slice(copied, at) + READ.repeat(whole.length)
    copied = end
    hasCutWords ||= isOfWord(kindAt(text, end)) && isOfWord(kindAt(text, end - 1))
  }
  return { text: copied === 0 ? text : struck + text.slice(copied), hasCutWords }
}

/** Without the signs at the end that belong to the sentence, or to the mark-up around it; "p.m." and "3.11." keep theirs. */
function withoutStop(text: string): string {
  const end = text.length - trailing(text)
  if (end === text.length || /(?:\d\.\d{1,2}|[ap]\. ?m)$/i.test(text.slice(Math.max(0, end - 5), end)))
    return text
  return text.slice(0, end)
}
