// Text to terms: folded words without function words, one stem for a word's forms; and its language.
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { foldText, isUnspaced, unifySigns } from './fold.ts'
import { FUNCTION_WORDS, type Language, LANGUAGES } from './function-words.ts'

export type { Language } from './function-words.ts'

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu
/** No word that people type is longer; what is longer is data, such as a key in Base64. */
const MAX_WORD = 40

const splitWords = (text: string): readonly string[] => text.match(WORD) ?? []

/** Finds the language of a code such as `de-AT`; undefined for one that has no function words here. */
export const knownLanguage = (code: string | null): Language | undefined =>
  LANGUAGES.find((language) => language === code?.toLowerCase().split(/[-_]/)[0])

const LANGUAGES_OF = new Map<string, Language[]>()
for (const language of LANGUAGES)
  for (const word of new Set(FUNCTION_WORDS[language].grammar.map(foldText)))
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language])

/** So many characters tell the language. */
const MAX_SAMPLE = 2000
/** A text is taken as being of a language at this share of words of its grammar. */
const MIN_GRAMMAR = 0.15

/** Returns undefined where words of grammar are too few or two languages have as many, as in "VPN reset". */
export function languageOf(text: string): Language | undefined {
  const words = splitWords(foldText(text.slice(0, MAX_SAMPLE)))
  const counts = new Map<Language, number>()
  for (const word of words)
    for (const language of LANGUAGES_OF.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  const [first, second] = [...counts].sort(([, count], [, other]) => other - count)
  if (first === undefined || first[1] === second?.[1]) return undefined
  return first[1] >= Math.max(1, MIN_GRAMMAR * words.length) ? first[0] : undefined
}

const functionWordsOf = (language: Language): string[] => {
  const { grammar, frame } = FUNCTION_WORDS[language]
  return [...grammar, ...frame].map(foldText)
}
const OF_ALL_TEXTS: ReadonlySet<string> = new Set([...functionWordsOf('en'), ...functionWordsOf('de')])
const OF_LANGUAGE: ReadonlyMap<Language | undefined, ReadonlySet<string>> = new Map(
  LANGUAGES.map((language) => [language, new Set(functionWordsOf(language))]),
)

/** Tells whether a folded word says nothing of a topic. English and German words mix into other languages. */
export const isFunctionWord = (word: string, language: Language | undefined): boolean =>
  OF_ALL_TEXTS.has(word) || OF_LANGUAGE.get(language)?.has(word) === true

/** Reads the terms of a text in order, repeated ones, too. A text without a language counts as English. */
export const termsOf = (text: string, language: Language | undefined): string[] =>
  splitWords(foldText(text)).flatMap((word) => termsOfWord(word, language ?? 'en'))

/** The topic of a question shows in so many characters: in a pasted mail, the question stands at its top. */
export const MAX_QUESTION = 600

/**
 * Reads the terms of a question, each with its word as written. Where nothing tells its language, it is the
 * usual one, but a text with accents is hardly English.
 */
export function topicTerms(question: string, usual: Language = 'en'): ReadonlyMap<string, string> {
  const text = unifySigns(question.slice(0, MAX_QUESTION))
  const isLikely = usual !== 'en' || /^\p{ASCII}*$/u.test(text)
  const language = languageOf(text) ?? (isLikely ? usual : undefined)
  return new Map(
    splitWords(text).flatMap((word) =>
      termsOfWord(foldText(word), language).map((term) => [term, isUnspaced(word) ? term : word] as const),
    ),
  )
}

/** A function word gives no term, a word of a script without spaces several. */
function termsOfWord(folded: string, language: Language | undefined): string[] {
  // French elides: "l'ordinateur", "d'un".
  const word = language === 'fr' ? folded.replace(/^(?:[cdjlmnst]|qu|jusqu|lorsqu)['’]/, '') : folded
  if (word.length > MAX_WORD || isFunctionWord(word, language)) return []
  if (isUnspaced(word)) {
    // Overlapping pairs of signs serve as words. Japanese writes its grammar in hiragana.
    const signs = Array.from(word)
    const pairs = signs.slice(1).map((sign, index) => `${signs[index] ?? ''}${sign}`)
    return (signs.length < 2 ? [word] : pairs).filter((pair) => !HIRAGANA.test(pair))
  }
  const plain = word.replaceAll("'", '')
  return plain.length < 2 ? [] : [stem(plain, language)]
}

const STEMMERS: Readonly<Partial<Record<Language, (word: string) => string>>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
  sv: swedish,
}
/** Stemming takes longest of what reading a text takes, and texts repeat their words. */
const stems = new Map<Language | undefined, Map<string, string>>()
const MAX_STEMS = 50_000

/**
 * The first five letters without accents work nearly as well as a stemmer, as for Polish and Turkish (Can et
 * al. 2008, "Information Retrieval on Turkish Texts").
 */
function stem(word: string, language: Language | undefined): string {
  const known = stems.get(language) ?? new Map<string, string>()
  if (known.size >= MAX_STEMS) known.clear()
  stems.set(language, known)
  const before = known.get(word)
  if (before !== undefined) return before
  const stemmer = language && STEMMERS[language]
  const stemmed = stemmer?.(word) ?? word.normalize('NFD').replaceAll(/\p{M}/gu, '').slice(0, 5)
  known.set(word, stemmed)
  return stemmed
}

const HIRAGANA = /^\p{sc=Hiragana}+$/u
