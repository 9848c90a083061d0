// The question of a ticket: without quoted mail, signatures, greetings and thanks.
import { cut } from '../../domain/text.ts'
import { foldText, visibleText } from '../../text/fold.ts'
import { isFunctionWord, languageOf } from '../../text/words.ts'
import { CLOSINGS, GREETINGS, NOBODY } from './courtesy.ts'
import type { Ticket, Turn } from './export.ts'

export interface FoundQuestion {
  readonly message: string
  readonly isStatement: boolean
}

/** The limits are in characters of a question, and of a turn that is kept whole. */
const [MAX_QUESTION, MAX_TURN] = [300, 1000]

/** Takes the first turn that says something; undefined if none does. */
export function questionOfTicket({ turns }: Ticket): FoundQuestion | undefined {
  for (const turn of turns) {
    const found = firstQuestion(turn)
    if (found !== undefined) return { ...found, message: tidy(cut(found.message, MAX_QUESTION)) }
  }
  return undefined
}

/** Keeps all turns that say something, whole. */
export const turnsOf = ({ turns }: Ticket): string[] =>
  turns.flatMap(({ subject, text }) => {
    const said = sentencesOf(text).join(' ')
    const message = tidy(cut(saysSomething(said) ? said : bareSubject(subject), MAX_TURN))
    return saysSomething(message) ? [message] : []
  })

function firstQuestion({ subject, text }: Turn): FoundQuestion | undefined {
  const title = bareSubject(subject)
  const isAsking = (sentence: string): boolean => sentence.endsWith('?')
  if (saysSomething(title) && (isAsking(title) || wordsOf(title).length > 2))
    return { message: title, isStatement: !isAsking(title) }
  const sentences = sentencesOf(text)
  const index = sentences.findIndex((sentence) => isAsking(sentence) && saysSomething(sentence))
  const question = sentences[index]
  if (question !== undefined) {
    // "My VPN drops every hour. Why?", "I forgot my password. How can I reset it?"
    const matter = contentOf(question).filter((word) => !VAGUE.has(word))
    const leans = index > 0 && matter.length < MIN_CONTENT
    return { message: leans ? `${sentences[index - 1]} ${question}` : question, isStatement: false }
  }
  const said = [title, ...sentences].find(saysSomething)
  return said === undefined ? undefined : { message: said, isStatement: true }
}

/** A cell that begins with such a sign would be a formula in a spreadsheet. */
const tidy = (text: string): string =>
  text
    .replace(/^[\s=+\-@'*•·>,;:]+/, '')
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
    .trim()

const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []

/** These words ask for help, but not with what. */
const EMPTY = new Set(
  `ideas issue needed problem problems questions request support ticket urgent asap advise assist fix
  dringend helfen frage fragen anfrage könnten tue aide aider aidez besoin demande j'ai la moi pourquoi
  pouvez-vous problème svp un`.split(/\s+/),
)
/** Many sentences name these things in passing: they do not tell what a question is about. */
const VAGUE = new Set(['account', 'card', 'e-mail', 'link', 'name', 'phone'])

/** These words frame most questions, but are the whole matter of some: "How long?", "Es geht nicht". */
const ASKING = new Set('geht funktioniert long many much often work working works'.split(' '))

/** Lists the words that say what is asked. A text too short to tell its language may be French. */
function contentOf(text: string): string[] {
  const language = languageOf(text) ?? 'fr'
  const isContent = (word: string): boolean =>
    ASKING.has(word) || !(EMPTY.has(word) || isFunctionWord(foldText(word), language))
  return wordsOf(text).filter((word) => word.length > 1 && isContent(word))
}

const saysSomething = (text: string): boolean => contentOf(text).length > 0

/** A question with fewer leans on the sentence before it. */
const MIN_CONTENT = 2

const SUBJECT_PREFIX = new RegExp(
  '^\\s*(?:(?:re|fwd?|aw|wg|tr|rép|antw)\\s*:|\\[[^\\]]{0,40}\\d[^\\]]{0,40}\\]|(?:ticket|case)? ?#\\d+:?)' +
    '\\s*',
  'iu',
)

function bareSubject(subject: string): string {
  let [bare, before] = [subject, '']
  while (bare !== before) [before, bare] = [bare, bare.replace(SUBJECT_PREFIX, '')]
  return withoutGreeting(oneLine(bare))
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** These begin the mail that is answered; each sees a line and the next. */
const QUOTED = [
  '\\s*-{2,}\\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)',
  '\\s*-{2,}\\s*message d.origine',
  '\\s*(?:on|am|le)\\s.{4,160}\\s(?:wrote|schrieb|a écrit)(?!\\p{L}).{0,160}$',
  '\\s*\\**(?:from|von|de)\\**\\s?:.*(?:sent|gesendet|envoyé)\\s?:',
  '\\s*\\**(?:from|von|de)\\**\\s?:.*\\n' +
    '\\s*\\**(?:sent|gesendet|envoyé|date|datum|to|an|à|subject|betreff)\\b',
  '\\s*_{8,}\\s*$',
].map((source) => new RegExp(`^${source}`, 'imu'))
const SIGNATURE = [
  /^\s*--\s*$/,
  /^\s*(?:sent from my|get outlook for|von meinem .{2,20} gesendet|gesendet von|envoyé de(?:puis)? mon)\b/iu,
]
const CLOSING = new RegExp(
  `^\\s*(?:${CLOSINGS})[\\s,.!]*(?:\\[name\\]|[\\p{L}.-]+(?: [\\p{L}.-]+)?)?[\\s,.!]*$`,
  'iu',
)
const CLOSING_AT_END = new RegExp(`(?<=[.?!,])\\s*(?:${CLOSINGS})[\\s,.!]*(?:\\[name\\])?[\\s,.!]*$`, 'iu')

function sentencesOf(text: string): string[] {
  const lines = visibleText(text.replaceAll(/<(?:br|\/p|\/div|\/li|\/tr)\b[^<>]*>/gi, '\n')).split(/\r\n?|\n/)
  const isEnd = (line: string, index: number): boolean =>
    QUOTED.some((pattern) => pattern.test(lines.slice(index, index + 2).join('\n'))) ||
    SIGNATURE.some((pattern) => pattern.test(line)) ||
    (CLOSING.test(line) && lines.slice(0, index).some(saysSomething))
  const end = lines.findIndex(isEnd)
  return (end === -1 ? lines : lines.slice(0, end))
    .filter((line) => !/^\s*>/.test(line))
    .join('\n')
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.split(SENTENCE_END))
    .map((sentence) => withoutGreeting(oneLine(sentence)).replace(CLOSING_AT_END, ''))
    .filter((sentence) => sentence !== '' && !CLOSING.test(sentence))
}

/** Abbreviations end in short words. A line that ends without a sign goes on in the next. */
const SENTENCE_END = /(?<=[?!])\s+|(?<=(?:\p{L}{3}|\p{N}{3}|[)\]])[.:])\s+(?=[\p{Lu}\p{N}[])/u

const GREETING = new RegExp(`^(?:${GREETINGS})(?![\\p{L}\\p{N}])[ ,!.:–-]*`, 'iu')
/** A greeting names people, titles and nobody in particular, before a sign. */
const GREETED =
  /^(?:(?:\[name\]|\p{Lu}[\p{L}.-]*|there|all|team|zusammen|à tous|or|und|et)[ /]?){1,4}[,!.:–-]+ */u

function withoutGreeting(sentence: string): string {
  const rest = sentence.replace(GREETING, '')
  if (rest === sentence) return sentence
  const greeted = rest.replace(GREETED, '').replace(/^\[name\][ ,]*/, '')
  const words = wordsOf(greeted)
  return words.every((word) => NOBODY.has(word) && !/^(?:vpn|outlook)$/.test(word)) ? '' : greeted
}
