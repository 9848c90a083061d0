// Text to terms: folded words without function words, forms of one word as one stem; and the language of a
// text.
import { stemmer as frenchStem } from '@orama/stemmers/french'
import { stemmer as germanStem } from '@orama/stemmers/german'
import { stemmer as spanishStem } from '@orama/stemmers/spanish'
import { stemmer as englishStem } from 'stemmer'
import { countEach } from '../domain/counts.ts'
import { foldText } from '../domain/fold-text.ts'
import { isUnspaced, signPairs } from '../domain/text.ts'

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu
/** No word that people type is longer; what is longer is data, such as a key in Base64. */
const MAX_WORD = 40

const list = (words: string): readonly string[] => words.trim().split(/\s+/)

/** Words of grammar, which tell the language. Each is common there and rare in the other languages. */
const GRAMMAR = {
  en: list(`
    the of and to is are was were it that this these those for with on at by from have has had do does did
    be been not you your my our they their what which who how when where why can could would should will
    there if but or as an i we he she its into than then so any some no about after before am me him her us
    them myself yourself don't doesn't didn't can't cannot i'm i'd i've i'll it's isn't aren't won't what's
    how's there's that's shall may might must being because while until up down out over under again whether
    too very just also only own same such each both other another through within without whom whose
  `),
  de: list(`
    der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren bin bist wird
    werden wurde ich du er sie es wir ihr mich mir dich dir sich uns euch mein meine meinen meinem meiner dein
    deine sein seine ihre ihren ihrem ihrer unser unsere nicht kein keine keinen mit von zu zum zur bei beim
    auf aus für über unter nach vor durch gegen ohne um am im ins an wie wo wann warum wer was welche welcher
    welches wenn dass weil ob als auch noch nur schon sehr so dann denn doch man kann können kannst könnte
    muss müssen soll sollte sollen darf dürfen will möchte hat habe haben hatte gibt dieser diese dieses
    diesem diesen jeder jede jedes alle vom bis hier da
  `),
  fr: list(`le les des une du est sont et ou dans pour avec sur pas je vous nous mon ma mes que qui comment
    où quand puis peut au aux ce cette il elle`),
  es: list(`el los las una del es son y en para con por no mi mis que como cómo dónde cuándo puedo se su al
    lo este esta yo hay`),
  it: list(`il lo gli della del di un una e è sono per con non mi mio mia che come dove quando posso nel alla
    si questo`),
  nl: list(`het een van en is zijn op voor met niet ik mijn hoe waar wanneer kan ook naar bij dat deze wat
    wij je jij`),
  pt: list(`os uma do da dos das é são e em para com não meu minha que como onde quando posso no na por`),
  sv: list(`och att det en ett är som på för med inte jag min mitt hur var när kan till av om den`),
  pl: list(`i w na nie się z do jest jak gdzie kiedy czy mogę mój moje to co dla od po za`),
} as const

/** A language that is told by its words of grammar. */
export type Language = keyof typeof GRAMMAR
const LANGUAGES = Object.keys(GRAMMAR) as Language[]

/** Of a code such as `de` or `de-AT`; undefined for one without words here. */
export const knownLanguage = (code: string | null): Language | undefined =>
  LANGUAGES.find((language) => language === code?.toLowerCase().split(/[-_]/)[0])

/** The languages of each word of grammar. */
const LANGUAGES_OF = new Map<string, Language[]>()
for (const language of LANGUAGES)
  for (const word of new Set(GRAMMAR[language].map(foldText)))
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language])

/** Words that people put around what they ask, in any question: they say nothing of its topic. */
const FRAME = list(`
  a ask best easiest easy easily fast find fine get gets getting give go goes going good got happen happens
  hello help hey hi idea kind know let like likely long look looking make makes making many mean means method
  much need needs new often ok one ones option options perhaps please possible possibly procedure question
  quick quickly really right simple simply solution some somehow somebody someone something somewhere sort
  suggest sure tell thank thanks thing things think tried try trying use used using usually want wants way
  ways well wonder wondering work works yes yet able anybody anyone anything anyway around all every
  everything everyone everybody possible recommend recommended want wanted wish now already always ever never
  instead more most less least few lot lots still else actually currently back
  in nor off onto per toward towards upon via against although among away below between don done during either
  enough further having here hers herself himself his however itself maybe mine neither next nobody none nope
  nothing oh okay once others otherwise ought ours ourselves quite rather since sometimes soon theirs
  themselves though till whatever whenever wherever whoever yours
  aren couldn didn doesn doing hadn hasn haven isn shouldn wasn weren wouldn ll
  bekomme bekommen bekommt besser bitte brauche brauchen danke einfach finde finden funktioniert gehen geht
  genau gerade gern gerne guten hallo hilfe irgendwie jemand jetzt kriege lassen lässt machen mache macht
  mehr möglich möglichkeit nichts sagen schnell tun viel viele weg wieder wissen würde würden immer etwas
`)
const STOP_WORDS: ReadonlySet<string> = new Set([...GRAMMAR.en, ...GRAMMAR.de, ...FRAME].map(foldText))
/** Function words of other languages, left out in a text of the language alone. */
const MORE_STOP_WORDS: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = Object.fromEntries(
  Object.entries({
    ...GRAMMAR,
    fr: list(`
      ${GRAMMAR.fr.join(' ')} à de d l n s c j m t qu y en se sa ses son leur leurs votre vos notre nos ton ta tes ne
      n'est c'est s'il d'un d'une l'on qu'il qu'elle jusqu'à par plus moins très aussi ainsi donc car si sinon alors
      être été sera seront soit avoir avez avons a ont peuvent pouvez faut doit doivent fait faire faites tout tous
      toute toutes chaque même autre autres quel quelle quels quelles dont comme sans sous entre vers chez avant après
      pendant depuis dès lors ici là ils elles on tu te nous lui eux cet ces celui celle ceux rien jamais toujours bien
      encore déjà voici voilà merci bonjour oui non seulement environ lorsque afin ou mais
    `),
    es: list(`
      ${GRAMMAR.es.join(' ')} de a y o u e que sus tu tus su le les lo nos al ha han he hay ser será son fue era estar
      está están si sí muy más menos también pero porque ya sin sobre entre hasta desde hacia cada todo toda todos todas
      otro otra otros otras mismo misma este estos estas ese esa eso esos esas aquel ello ellos ellas él usted ustedes
      tiene tienen tener puede pueden debe deben hacer hace donde cual cuales quien ni nunca siempre sólo solo así
      después antes durante mientras aquí allí hola gracias además unos unas ante bajo según tras algo nada
    `),
  }).map(([language, words]) => [language, new Set(words.map(foldText))]),
)

const wordsOf = (text: string): string[] => foldText(text).match(WORD) ?? []

/** Characters that tell the language. */
const MAX_SAMPLE = 2000
/** The share of words of grammar at which a text is taken as being of a language. */
const MIN_GRAMMAR = 0.15

/**
 * The language whose words of grammar are most frequent in the text; undefined where they are too few to tell
 * or two languages have as many, as in "VPN reset".
 */
export function languageOf(text: string): Language | undefined {
  const words = wordsOf(text.slice(0, MAX_SAMPLE))
  const counts = countEach(words.flatMap((word) => LANGUAGES_OF.get(word) ?? []))
  const [first, second] = [...counts].sort((one, other) => other[1] - one[1])
  if (first === undefined || first[1] === second?.[1]) return undefined
  return first[1] >= Math.max(1, MIN_GRAMMAR * words.length) ? first[0] : undefined
}

/**
 * The terms of a text in its order, with repetitions. English words are reduced by Porter's stemmer, German
 * ones by Snowball's; of another language words stay, and the search for near terms finds their forms.
 */
export function termsOf(text: string, language: Language | undefined): string[] {
  const more = language === undefined ? undefined : MORE_STOP_WORDS[language]
  return wordsOf(text).flatMap((found) => {
    // French elides: "l'ordinateur", "d'un".
    const word = language === 'fr' ? found.replace(/^(?:[cdjlmnst]|qu|jusqu|lorsqu)['’]/, '') : found
    if (word.length > MAX_WORD || STOP_WORDS.has(word) || more?.has(word) === true) return []
    if (isUnspaced(word)) return signPairs(word)
    const plain = word.replaceAll("'", '')
    return plain.length < 2 ? [] : [stem(plain, language)]
  })
}

/** Stemming takes longest of what reading a text takes, and texts repeat their words. */
const stems = new Map<string, string>()
const MAX_STEMS = 100_000

function stem(word: string, language: Language | undefined): string {
  const stemmer = (
    { de: germanStem, en: englishStem, es: spanishStem, fr: frenchStem } as Partial<
      Record<Language, (word: string) => string>
    >
  )[language ?? 'en']
  if (stemmer === undefined) return word
  const key = `${language} ${word}`
  const known = stems.get(key) ?? stemmer(word)
  if (stems.size >= MAX_STEMS) stems.clear()
  stems.set(key, known)
  return known
}

/** The terms of a text without its values: what it speaks of. */
export function matterOf(
  text: string,
  values: readonly { readonly kind: string; readonly start: number; readonly end: number }[],
  language: Language | undefined,
): string[] {
  let matter = text
  for (const { kind, start, end } of values.toReversed())
    if (kind !== 'negation') matter = `${matter.slice(0, start)} ${matter.slice(end)}`
  return termsOf(matter, language)
}
