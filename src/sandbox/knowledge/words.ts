// From text to terms: words without accents and apostrophes, in their concept's usual name, stemmed.
import { stemmer } from 'stemmer'

/** Lower-case words as they stand, function words included: what reveals how a question is built. */
export function splitWords(text: string): string[] {
  const folded = text
    .split(/\s+/)
    .filter((one) => !isAddress(one))
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘]/g, "'")
    .toLowerCase()
    .replaceAll(/\b(?:log|sign)(?:s|ged|ned|ging|ning)?[ -](?:in|on)\b/g, 'login')
    // e-mail, wi-fi: the first part is no word of its own. Elsewhere a hyphen parts words.
    .replaceAll(/\b(e|wi|hi|re|co|un)-(?=\p{L})/gu, '$1')
  return folded.match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu)?.map((word) => word.replace(/'.*$/, '')) ?? []
}

/** Of the web or of mail: it names servers, not topics. */
const isAddress = (text: string): boolean => /:\/\/|@|^www\./i.test(text)

/** Stemming is most of the work of an answer, and the words are few. */
const known = new Map<string, string | undefined>()
const KNOWN_WORDS = 20_000

/** Term of a word, or undefined where the word is only grammar. */
export function termOf(word: string): string | undefined {
  if (known.has(word)) return known.get(word)
  if (known.size >= KNOWN_WORDS) known.clear()
  const term = findTerm(word)
  known.set(word, term)
  return term
}

function findTerm(word: string): string | undefined {
  if (FUNCTION_WORDS.has(word) || (word.length < 2 && !/\d/.test(word))) return undefined
  const stem = stemmer(word)
  return CONCEPTS.get(word) ?? CONCEPTS.get(stem) ?? (COUNTRIES.has(word) ? COUNTRY : stem)
}

const COUNTRY = stemmer('country')
/** Names of one word: who asks about "Spain" means what an article says of countries. */
const COUNTRIES: ReadonlySet<string> = new Set(countryNames())

function* countryNames(): Generator<string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  for (const code of letters.flatMap((one) => letters.map((other) => one + other))) {
    const name = names.of(code)
    if (name !== undefined && /^\p{L}+$/u.test(name)) yield name.toLowerCase()
  }
}

export function termsOf(text: string): string[] {
  return splitWords(text).flatMap((word) => termOf(word) ?? [])
}

/** Whether a word can be what a question is about. */
export function isTopic(word: string): boolean {
  return !isSmallTalk(word) && termOf(word) !== undefined && !/^\d+$/.test(word)
}

const list = (words: string): string[] => words.trim().split(/\s+/)

/** Grammar: says nothing about any topic. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  list(`
    a an the and or but nor if then than so as at by for from in into of off on onto out over per to toward towards up
    upon via with within without about after again against all also although always am among any anybody anyone
    anything anyway are aren around away be because been before being below between both can cannot could couldn did
    didn do does doesn doing don done down during each either else enough ever every everyone everything few further
    had hadn has hasn have haven having he her here hers herself him himself his how however i is isn it its itself
    just least less let like ll many may maybe me might mine more most much must my myself neither never next no nobody none
    nope not nothing now often oh ok okay once one ones only other others otherwise ought our ours ourselves own
    perhaps quite rather really same shall she should shouldn since some somebody someone something sometimes soon
    still such sure than that the their theirs them themselves there these they this those though through till too
    under until us very was wasn we well were weren what whatever when whenever where wherever whether which while
    who whoever whom whose why will won would wouldn yes yet you your yours yourself
  `),
)

/**
 * Said in every question and every article: small talk, time and number, and what belongs to any request
 * (its approval, its deadline, its replacement). They rank articles and sections, but name no topic.
 */
const SMALL_TALK = new Set(
  list(`
    able according actually add advice advise afford agree allow announce answer anymore anywhere apart apply approval
    approve approved arrange arrive ask available aware back bad become begin best better big bit book bring bunch
    call came cancel care carry case cause chance change charge check choose clear close collect collected come common
    company complete confirm contact correct cost costs count couple create cover date day days deadline deal decide
    decline declined deliver depend describe details different difficult direct disagree do doubt early easy effect end
    ensure entitle euro euros exact exactly example exceed except exception exist expect expire explain extend
    extension extra fact far fast fee fill find finish fine first fix follow forget forgot forgotten form forward full future general get gets
    getting give given go goes going gone good got great guess guy hand handle happen happened happens hard hear hello
    help hey hi hold home hope hour hours idea immediately important inform info information instead interested issue
    job keep kept kind know late later learn left legal length limit line list little long look lot luck main make manage
    matter maximum mean mention minimum minute minutes miss mistake moment month months morning name need new next
    night normal normally note notice notify number object offer often old open option order own owner paid part past
    pay pays people period permission person pick place plan please point possible prefer prepare price problem process
    promise proof proper prove provide purpose put question quick quickly reach read ready real reason receive refuse
    refused regard reject rejected remember renew replace replacement reply request require responsible rest result
    return rule rules run said say search see seem send separate serious set several short show side simple single
    situation small solve somehow somewhere sort special start state stay step steps stop stuff submit
    suddenly suggest suppose sure switch take taken takes taking talk tell thank thanks thing things think time times
    today together told tomorrow tonight took total tried trouble try trying turn type understand upload urgent usage
    use used useful user uses using usual usually valid view visit wait walk want wants way week weekend weekends weeks
    went wish wonder word work worker working works worry wrong year years yesterday
    setup procedure policy policies colleague colleagues staff employee employees team teams member members manager boss
    department office
    many much two three four five six seven eight nine ten half twice
    monday tuesday wednesday thursday friday saturday sunday saturdays sundays
    january february march april june july august september october november december
  `).flatMap((word) => [word, stemmer(word)]),
)

/** A word with a concept of its own ("backed") is not judged by its stem ("back"). */
const isSmallTalk = (word: string): boolean =>
  SMALL_TALK.has(word) || (SMALL_TALK.has(stemmer(word)) && !CONCEPTS.has(word))

/** Several words for one thing: each is looked up under the first of its line. */
const SYNONYMS = `
  email mail
  laptop notebook macbook
  computer pc workstation
  phone mobile smartphone cellphone handset
  wifi wireless wlan
  login logon signin
  mfa 2fa twofactor multifactor
  admin administrator administrative
  password passcode passphrase
  holiday vacation pto
  ill sick unwell illness sickness
  badge keycard
  monitor screen display
  photo picture image
  buy purchase procure procurement bought
  salary wage payslip payroll payday income earnings
  refund reimburse reimbursement
  lost lose losing
  stolen theft steal stole
  abroad overseas foreign
  country countries
  licence license
  trip travel journey
  fly flight plane
  starter joiner newcomer
  leaver resign resignation departure
  contractor consultant freelancer
  child children kid daughter son
  course lesson
  supplier vendor
  malware virus ransomware trojan
  kilometre mileage
  headset headphone earphone
  glasses spectacles
  bike bicycle cycling
  car vehicle
  delete erase deletion
  restore recover retrieve
  file spreadsheet
  parental maternity paternity baby birth newborn pregnant pregnancy
  backup backed
  print printer
  reset resetting
  spam scam phishing phish
  canteen cafeteria
  colour color
  parcel package courier
  break broke broken
  send sent
  shut closed
  suspicious strange odd weird fishy dubious
  incident breach hacked
  pain hurt ache sore
  begin began begun start
  choose chose chosen
  write wrote written
  classification classify classified
`

/** Words whose stem is another word's: a training is no train. */
const OWN_WORDS = list('training building meeting parking')

/** Stem of the concept by word, and by the word's stem, so that "purchases" is found under "purchase". */
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
  ...OWN_WORDS.flatMap((word): [string, string][] => [
    [word, word],
    [`${word}s`, word],
  ]),
])
