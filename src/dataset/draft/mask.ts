// Masks what a question set must not hold: personal data, addresses with a query, and names of people.
import type { MaskKind } from '../../domain/draft.ts'
import { replacePersonalData } from '../personal-data.ts'
import { isGrammar, isNobody, NAME_END, readLine } from './courtesy.ts'
import { isQuoteHead, MAX_HEAD, partsOf } from './question.ts'

/**
 * Returns what masks a text of a ticket with these texts. Whoever a greeting, a signature, a title or the
 * head of quoted mail names is masked wherever the ticket names them. `mask` gives what stands instead.
 */
export function createMask(texts: readonly string[], mask: (kind: MaskKind) => string) {
  const names = [...new Set(texts.flatMap(namesIn))]
    .sort((some, other) => other.length - some.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("'", "['’]"))
  const anyName = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  return (text: string): string => {
    const unlinked = text.replaceAll(LINK, () => mask('link'))
    const bare = replacePersonalData(unlinked, mask)
    return names.length === 0 ? bare : bare.replaceAll(anyName, () => mask('name'))
  }
}

/** A query often names a user or a session; an address without one is part of the question. */
const LINK = /(?:https?:\/\/|www\.)[^\s<>"'?]{1,500}\?[^\s<>"']*[^\s<>"'.,;:!?)\]]/giu

const PARTICLE = "(?:von der|von den|van der|van den|van|von|zu|zur|de la|de|du|d['’]|le|la) ?"
const WORD = String.raw`(?!I['’])(?!\p{Lu}+(?![\p{L}'’-]))\p{Lu}[\p{L}\p{M}'’-]{1,40}`
const NAME = `(?:${PARTICLE})?${WORD}`
const NAMES = `${NAME}(?: ${NAME}){0,2}`
const anyOf = (...patterns: readonly string[]): string => `(?:${patterns.join('|')})`
/** The case tells "Ms Taylor" from "MS Project" and "300 ms Berlin". */
const TITLE = anyOf(
  String.raw`(?:Mr|Mrs|Ms|Dr|Prof|Hr|Fr|Sra|Srta|Dra)\b\.?|(?:M|Sr)\.`,
  'Herrn?|Frau|Mme|Mlle|Monsieur|Madame|[Ss]eñora?|[Dd]on|[Dd]oña',
)
/** Whoever says so names somebody. */
const MY_NAME = anyOf(
  "[Mm]y name(?: i|['’])s|[Mm]ein Name ist|[Ii]ch hei(?:ß|ss)e|[Jj]e m['’]appelle",
  '[Mm]e llamo|[Mm]i nombre es',
  String.raw`^(?:(?:[Ff]ull |[Ff]irst |[Ll]ast )?[Nn]ame|Vorname|Nachname)\s?:`,
  String.raw`^(?:Kontakt|Contact|Ansprechpartner(?:in)?|Vorstand|Geschäftsführ\p{L}+|CEO)\s?:`,
)
/** People say this of themselves, and "this is" of products, too: "This is Microsoft Teams." */
const I_AM = "I am|I['’]m|[Hh]ier spricht|[Ii]ch bin|[Jj]e suis|[Ss]oy|[Ii]ci|[Aa]quí"
const THIS_IS = "[Tt]his is|[Ii]t['’]?s|[Hh]ier ist|[Cc]['’]est|[Ss]oy|[Hh]abla"
const FROM = anyOf(
  'from|of|at|in|again|here|and|with',
  'aus|vom|von|wieder|und',
  'de|du|des|encore|et',
  'del|otra|y',
)
const GREETING =
  '[Gg](?:ood|uten)|[Hh](?:i|ey|ello|iya|allo|ola)|[Mm]oin|[Ss](?:ervus|alut)|[Bb](?:onjour|onsoir|uen[oa]s)'
const INTRODUCED = [
  String.raw`(?<![\p{L}\p{N}])${TITLE} (?:(?:Dr|Prof|Mme)\.? ){0,2}(?!(?:Dr|Prof)\b)(${NAME}(?: ${WORD})?)`,
  `${MY_NAME} (${NAMES})`,
  // Two capitals make sure of a name: "I am Tom Baker", and not "I am Head of Sales".
  String.raw`(?<!\p{L})(?:${I_AM}) (${WORD} ${NAME}(?: ${WORD})?)(?=[,.!]|\s+${FROM}\s|$)`,
  String.raw`(?<!\p{L})(?:${THIS_IS}) (${WORD} ${NAME}(?: ${WORD})?)(?= ${FROM}\s)`,
  `(?<![^])(?:${THIS_IS}) (${WORD} ${NAME}(?: ${WORD})?)(?=,)`,
  // Behind a greeting, and from somewhere, one word is enough: "Hello, this is Tom from Sales".
  String.raw`(?<![^])(?:${GREETING})[^.?!:\n]{0,30}[,.!]\s+(?:${THIS_IS}) (${NAME})(?= ${FROM}[\s,.!])`,
  String.raw`(?<!\S)(?:(${WORD} ${NAME})(?= (?:here|hier)[,.:])|(${WORD})(?= mein Name[,.:]))`,
].map((pattern) => new RegExp(pattern, 'gmu'))

function namesIn(text: string): string[] {
  const lines = text.split(/[\r\n]+[>\s]*/).map((line) => line.trim())
  const found = lines.flatMap((line, index): readonly string[] => {
    const { kind, names, hasClosing } = readLine(line)
    // "Danke und einen guten Start in die Woche", and a name below; not "Thanks, I need", and Visio below.
    const isWish = hasClosing && !SAYS.test(line) && readLine(lines[index + 1] ?? '').kind === 'name'
    const isSigned = (names.length === 0 && (kind === 'closing' || isWish)) || /^[-_—–]{2,}$/.test(line)
    if (isSigned) return signatureIn(lines.slice(index + 1, index + 6))
    return kind === 'name' || kind === 'polite' ? [] : names
  })
  found.push(...signatureIn(partsOf(text).signature))
  for (const pattern of INTRODUCED)
    for (const [, name, other = ''] of text.matchAll(pattern))
      if (!isNobody(name ?? other)) found.push(name ?? other)
  const addressed = new Set(
    Array.from(text.matchAll(LOCAL_PART), ([, first, last]) => `${first} ${last}`.toLowerCase()),
  )
  if (addressed.size > 0)
    for (const [, name = ''] of text.matchAll(TWO_WORDS))
      if (addressed.has(name.toLowerCase())) found.push(name)
  const heads = lines.some((_, index) => isQuoteHead(lines, index)) ? lines : []
  return [
    ...found.flatMap((name) => [name, ...name.split(' ').filter(isTelling)]),
    ...heads.flatMap(namesInHead),
  ]
}

/** "Sabine Moser (sabine.moser@example.com)": the address says that it is a name. */
const LOCAL_PART = /(?<![\p{L}\p{N}.])(\p{L}{2,30})[._-](\p{L}{2,30})@/gu
const TWO_WORDS = /(?<!\p{L})(?=(\p{L}{2,30} \p{L}{2,30})(?!\p{L}))/gu

const SAYS = /[?\d]|(?<!\p{L})(?:I|we|it|ich|wir|es|je|nous|on|yo|me|no|not|nicht|pas)(?!\p{L})/iu

/** A word of a name tells it alone, unless it is a word of many sentences: "Will", "van". */
const isTelling = (word: string): boolean => /^\p{Lu}\p{L}{2}/u.test(word) && !isGrammar(word.toLowerCase())

/** Reads the name in the first line of a signature, up to a sign: "Tom Baker | Acme Ltd." */
function signatureIn(lines: readonly string[]): readonly string[] {
  for (const line of lines) {
    const [written = ''] = line.replace(/^[^\p{L}]+|\s[:;]-?[)DP(]$/gu, '').split(NAME_END, 1)
    if (/[:_\d]|--|^\W*\[/.test(line.slice(0, written.length + 1))) return []
    const { kind, names } = readLine(written)
    if (kind === 'matter') return isName(written) ? [written.trim()] : []
    if (names.length > 0) return [...names, ...wholeNames(lines, names)]
  }
  return []
}

/** "Lena", and two lines below it "Lena Esposito", or "Secretary: Jane Flynn, 0171 2345678". */
const wholeNames = (lines: readonly string[], names: readonly string[]): string[] =>
  lines.flatMap((line) => [
    ...readLine(line).names.filter((name) => names.includes(name.split(' ')[0] ?? '')),
    ...(BESIDE_NUMBER.exec(line) ?? []),
  ])

const BESIDE_NUMBER = new RegExp(`(?<=: ?|^)${NAME} ${WORD}(?=,? [+(]?\\d[\\d ()/-]{6})`, 'u')

/** Here "dieter maier", "ROSWITHA KLEIN" and "Dr. O'Dowd FRCP" are names, too. */
function isName(line: string): boolean {
  const words = line.toLowerCase().split(/\s+/)
  const capitalised = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  const { names } = readLine(capitalised)
  return names.length > 0 && words.length < 7 && !words.some((word) => isGrammar(word))
}

/** "Von: Groß, Jürgen <…>", "On 2 Nov at 9:12 AM, Tom Baker <…> wrote:", "Am 2.11. schrieb Tom Baker:" */
function namesInHead(written: string): readonly string[] {
  const line = written.slice(0, MAX_HEAD)
  const [, people = ''] =
    /^\W{0,3}(?:From|To|Cc|Von|An|Kopie|De|À)\W{0,3}:(.*)/u.exec(line) ??
    /\sschrieb\s([^\d<:]+)/.exec(line) ??
    /[\dM],?\s([^\d<]+)(?:<.*)?\s(?:wrote|a écrit)/.exec(line) ??
    []
  const names = people.split(/;|<[^>]*>/).map((person) => readLine(person).names)
  // "From: Jira" names no person.
  return names.flatMap((parts) => (parts.length === 1 && !parts[0]?.includes(' ') ? [] : parts))
}
