// Text to search terms: folds accents and apostrophes, stems, replaces synonyms.
import { stemmer } from 'stemmer'

/** Words in lower case, function words included. */
export function splitWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘]/g, "'")
    .toLowerCase()
    .replaceAll(/\b(?:log|sign)(?:s|ged|ned|ging|ning)?[ -](?:in|on)\b/g, 'login')
    // Joins prefixes as in e-mail and wi-fi. Elsewhere a hyphen separates words.
    .replaceAll(/\b(e|wi|hi|re|co|un)-(?=\p{L})/gu, '$1')
  return folded.match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu)?.map((word) => word.replace(/'.*$/, '')) ?? []
}

interface Meaning {
  readonly term: string
  /** Whether the word can be a question's topic; otherwise it is small talk, which only affects ranking. */
  readonly isTopic: boolean
}

/** Cache: stemming dominates the time of an answer. */
const meanings = new Map<string, Meaning | undefined>()
const CACHE_SIZE = 20_000

/** Undefined for a function word. */
function meaningOf(word: string): Meaning | undefined {
  if (meanings.has(word)) return meanings.get(word)
  if (meanings.size >= CACHE_SIZE) meanings.clear()
  const isNumber = /^\d+$/.test(word)
  const isGrammar = FUNCTION_WORDS.has(word) || (word.length < 2 && !isNumber)
  const stem = stemmer(word)
  const concept = CONCEPTS.get(word)
  // A synonym ("backed") is a topic even if its stem ("back") is small talk.
  const isSmallTalk = SMALL_TALK.has(word) || (SMALL_TALK.has(stem) && concept === undefined)
  const term = concept ?? CONCEPTS.get(stem) ?? stem
  const meaning = isGrammar ? undefined : { term, isTopic: !isSmallTalk && !isNumber }
  meanings.set(word, meaning)
  return meaning
}

export const isTopic = (word: string): boolean => meaningOf(word)?.isTopic ?? false

export const termOf = (word: string): string | undefined => meaningOf(word)?.term

export const termsOf = (text: string): string[] => splitWords(text).flatMap((word) => termOf(word) ?? [])

/** The terms of a question, divided into topic and small talk. */
export function questionTerms(message: string): {
  readonly topic: ReadonlySet<string>
  readonly smallTalk: ReadonlySet<string>
} {
  const topic = new Set<string>()
  const smallTalk = new Set<string>()
  for (const meaning of splitWords(message).map(meaningOf))
    if (meaning) (meaning.isTopic ? topic : smallTalk).add(meaning.term)
  return { topic, smallTalk }
}

const list = (words: string): string[] => words.trim().split(/\s+/)

/** Words that never name a topic and are not indexed. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  list(`
    a an the and or but nor if then than so as at by for from in into of off on onto out over per to
    toward towards up upon via with within without about after again against all also although always am
    among any anybody anyone anything anyway are aren around away be because been before being below
    between both can cannot could couldn did didn do does doesn doing don done down during each either
    else enough ever every everyone everything few further had hadn has hasn have haven having he her here
    hers herself him himself his how however i is isn it its itself just least less let like ll many may
    maybe me might mine more most much must my myself neither never next no nobody none nope not nothing
    now often oh ok okay once one ones only other others otherwise ought our ours ourselves own perhaps
    quite rather really same shall she should shouldn since some somebody someone something sometimes soon
    still such sure than that the their theirs them themselves there these they this those though through
    till too under until us very was wasn we well were weren what whatever when whenever where wherever
    whether which while who whoever whom whose why will won would wouldn yes yet you your yours yourself
  `),
)

/**
 * Words common to all questions and articles: small talk, times and numbers, and parts of any request
 * (approval, deadline, replacement). They affect ranking, but name no topic.
 */
const SMALL_TALK = new Set(
  list(`
    able according actually add advice advise afford agree allow announce answer anymore anywhere apart
    apply approve april arrange arrive ask august available aware back bad become begin best better big
    bit book boss bring bunch call came cancel care carry case cause chance change charge check choose
    clear close colleague collect come common company complete confirm contact correct cost count couple
    cover create date day deadline deal december decide decline deliver department depend describe details
    different difficult direct disagree do doubt early easy effect eight employee end ensure entitle euro
    exact exactly example exceed except exist expect expire explain extend extension extra fact far fast
    february fee fill find fine finish first five fix follow forget forgot forgotten form forward four
    friday full future general get give given go goes gone good got great guess guy half hand handle
    happen hard hear hello help hey hi hold home hope hour idea immediately important info inform instead
    interested issue january job july june keep kept kind know late later learn left legal length limit
    line list little long look lot luck main make manage many march matter maximum mean member mention
    minimum minute miss mistake moment monday month morning much name need new next night nine normal note
    notice notify november number object october offer office often old open option order own owner paid
    part past pay people period permission person pick place plan please point policy possible prefer
    prepare price problem procedure process promise proof proper prove provide purpose put question quick
    quickly reach read ready real reason receive refuse regard reject remember renew replace reply request
    require responsible rest result return rule run said saturday say search see seem send separate
    september serious set setup seven several short show side simple single situation six small solve
    somehow somewhere sort special staff start state stay step stop stuff submit suddenly suggest sunday
    suppose sure switch take taken talk team tell ten thank thing think three thursday time today together
    told tomorrow tonight took total tried trouble try tuesday turn twice two type understand upload
    urgent usage use user usual valid view visit wait walk want way wednesday week weekend went wish
    wonder word work worker worry wrong year yesterday
  `).flatMap((word) => [word, stemmer(word)]),
)

/** One concept a line: each word is indexed as the first of its line. */
const SYNONYMS = `
  email mail
  print printer
  computer pc workstation
  laptop notebook macbook
  phone mobile smartphone cellphone handset
  wifi wireless wlan
  mfa 2fa twofactor multifactor
  admin administrator administrative
  password passcode passphrase
  holiday vacation pto
  ill sick unwell illness sickness
  badge keycard
  monitor screen display
  buy purchase procure procurement bought
  salary wage payslip payroll payday income earnings
  refund reimburse reimbursement
  lost lose losing
  abroad overseas foreign
  country countries ireland sweden germany france spain portugal italy canada brazil morocco india china japan switzerland
  licence license
  child children kid daughter son
  bike bicycle cycling
  restore recover retrieve
  parental maternity paternity baby birth newborn pregnant pregnancy
  backup backed
  spam scam phishing phish
  send sent
  suspicious strange odd weird fishy dubious
  pain hurt ache sore
`

/** Words that must not be stemmed: a "training" is not a "train". */
const UNSTEMMED = list('training building meeting parking')

/** Concepts by word and by the word's stem, so that "purchases" matches "purchase". */
const CONCEPTS: ReadonlyMap<string, string> = new Map([
  ...SYNONYMS.trim()
    .split('\n')
    .flatMap((line) => {
      const words = list(line)
      const concept = stemmer(words[0] ?? '')
      return words.flatMap((word): [string, string][] => [
        [word, concept],
        [stemmer(word), concept],
      ])
    }),
  ...UNSTEMMED.flatMap((word): [string, string][] => [
    [word, word],
    [`${word}s`, word],
  ]),
])
