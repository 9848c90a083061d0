// The question of a ticket: what the person wrote first, without greeting, signature and quoted mail.
import type { DraftQuestion } from '../../domain/draft.ts'
import { singleSpaced } from '../../domain/text.ts'
import { foldText } from '../../text/fold.ts'
import { isGrammar, MAX_COURTESY, NAME_END, readLine } from './courtesy.ts'
import type { Turn } from './export.ts'

/** Reads the first turn that says something, behind the subject; undefined where none does. */
export function questionOf(turns: readonly Turn[]): DraftQuestion | undefined {
  const subject = singleSpaced((turns[0]?.subject ?? '').replace(SUBJECT_MARKS, ''))
  const read = turns.map((turn) => {
    const text = WIKI.reduce((rest, [markup, plain]) => rest.replaceAll(markup, plain), turn.text)
    return { turn, matter: singleSpaced(partsOf(text).matter.join(' ')) }
  })
  const said = read.find(({ matter }) => saysSomething(matter))
  const { turn, matter } = said ?? { turn: turns[0], matter: '' }
  if (turn === undefined || (said === undefined && !saysSomething(subject))) return undefined
  // A spreadsheet would take a text that begins with these signs for a formula.
  const whole = withSubject(subject, matter).replace(/^[\s=+\-@]+/, '')
  const message = shorten(whole)
  const original = [turn.subject, turn.text].filter((text) => text.trim() !== '').join('\n\n')
  return { message, original, isShortened: message !== whole }
}

/** Jira's markup of headings, blocks, links and pictures; its other signs may be the person's own. */
const WIKI: readonly (readonly [RegExp, string])[] = [
  [/^h[1-6]\. /gm, ''],
  [/\{(?:code|noformat|quote|panel|color)(?::[^{}\n]*)?\}/g, ''],
  [/\[([^[\]|\n]+)\|(?:https?:|mailto:)[^[\]\n]*\]/g, '$1'],
  [/![^!\s|]+\.(?:png|jpe?g|gif|bmp)(?:\|[^!\n]*)?!/gi, ''],
]

function withSubject(subject: string, matter: string): string {
  if (matter === '') return subject
  const words = wordsOf(subject)
  const known = new Set(wordsOf(matter))
  if (words.length < MIN_SUBJECT || words.every((word) => known.has(word))) return matter
  return `${subject}${/[.!?:…]$/.test(subject) ? '' : '.'} ${matter}`
}

const MIN_SUBJECT = 4
const wordsOf = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The reply and ticket marks of a subject are no part of what is asked. */
const SUBJECT_MARKS =
  /^(?:\s*(?:(?:re|fwd?|aw|wg|tr|rép|antw)\s*:|\[[^\]]{0,40}\d[^\]]{0,40}\]|(?:ticket|case)? ?#\d+:?))+/iu

/** A mask and "Help" say nothing. */
function saysSomething(text: string): boolean {
  const { kind, names } = readLine(text)
  return kind === 'matter' || (kind === 'name' && names.length > 0)
}

const [MAX_QUESTION, MIN_QUESTION] = [300, 60]

/** Ends with a sentence; within one only if that would leave too little. */
function shorten(text: string): string {
  if (text.length <= MAX_QUESTION) return text
  const start = text.slice(0, MAX_QUESTION + 2)
  const end = Math.max(...Array.from(start.matchAll(SENTENCE_END), ({ index }) => index))
  return end >= MIN_QUESTION ? start.slice(0, end) : `${start.slice(0, MAX_QUESTION).replace(/\s\S*$/, '')}…`
}

/** "z. B. aus Spanien" goes on. */
const SENTENCE_END = /(?<=[!?…]["'”“’)\]]?|(?<![\s.(]\p{L})\.["'”“’)\]]?)(?=\s+[^\p{Ll}\s])/gu

const QUOTE_HEADS = [
  '-{2,}\\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)',
  '-{2,}\\s*message (?:d.origine|transféré)',
  '(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)):',
  // "On Mon, 2 Nov 2026 at 09:12, Desk <…>" and below it "wrote:"
  '(?:on|am|le|el)\\s(?=.*(?:\\d:\\d\\d|\\d{4})).{4,160}(?:\\n(?!(?:on|am|le)\\s).{0,100})?' +
    '(?:wrote|schrieb|a écrit|escribió)(?!\\p{L})[^\\n]{0,160}:\\s*(?:\\n|$)',
  '\\**(?:from|von|de)\\**\\s?:[^]*\\b' +
    '(?:sent|gesendet|envoyé|enviado|date|datum|fecha|to|an|à|para|subject|betreff|asunto)\\**\\s?:',
].map((head) => new RegExp(`^${head}`, 'iu'))
export const MAX_HEAD = 200
/** A quoted mail begins here: its head is one line or two. */
export function isQuoteHead(lines: readonly string[], index: number): boolean {
  const [line = '', next = ''] = lines.slice(index, index + 2).map((text) => text.slice(0, MAX_HEAD))
  return (
    /^(?:[-*]|on|am|le|el|from|von|de|begin|anfang)/i.test(line) &&
    QUOTE_HEADS.some((head) => head.test(`${line}\n${next}`))
  )
}

const HEAD_LINE =
  /^(?:from|sent|to|cc|subject|date|von|gesendet|an|kopie|datum|betreff|de|envoyé|objet)\s?:|^--.*--$/i
const DEVICE = new RegExp(
  '^(?:(?:sent|gesendet|envoyé|enviado)\\s(?:from|with|via|mit|von|aus|depuis|de|desde)\\s.{2,60}' +
    '|get outlook for .{2,20}|von mein.{3,40}\\sgesendet.?' +
    '|diese (?:nachricht|e-?mail) wurde (?:von|mit) .{2,60})$',
  'iu',
)
const FOOTER =
  /confidential|intended|disclaimer|environment|vertraulich|bestimmt|umwelt|regist(?:ered|er\b)|HRB|USt/i

/** Finds the lines that say something, and those of the signature. */
export function partsOf(text: string) {
  const lines = text.split(/\r\n?|\n/).flatMap((line) => line.trim() || [])
  const said: string[] = []
  const signature: string[] = []
  let isSigned = false
  // A mail that is forwarded without a word is what the person asks.
  let isForwarded = true
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('>') || DEVICE.test(line.slice(0, MAX_COURTESY))) continue
    if (isForwarded && (/^_{3,}$/.test(line) || HEAD_LINE.test(line))) continue
    isForwarded = false
    if (isQuoteHead(lines, index)) {
      if (lines.slice(index + 1, index + 4).some((below) => below.startsWith('>'))) continue
      break
    }
    if (said.length > 0 && /^(?:--|—|_{3,})$/.test(line)) break
    const { kind } = readLine(line)
    const isGreeting = kind === 'greeting' || (kind !== 'matter' && line.endsWith(','))
    const isWish = isGreeting && said.length > 0 && isName(lines[index + 1])
    if (kind === 'closing' || isWish || /^[-=*]{3,}$/.test(line)) isSigned ||= said.length > 0
    else if (isGreeting && said.length === 0) continue
    // What follows a closing is a signature, but for sentences.
    else if (!isSigned || isSentence(line)) said.push(line)
    else if (FOOTER.test(line)) break
    else signature.push(line)
  }
  const end = said.findLastIndex((line) => SENTENCE.test(line.slice(-MAX_COURTESY))) + 1
  const name = end === 0 ? -1 : said.findIndex((line, index) => index >= end && isName(line))
  return name === -1 || said.length - end > MAX_SIGNATURE
    ? { matter: said, signature }
    : { matter: said.slice(0, name), signature: [...said.slice(name), ...signature] }
}

const MAX_SIGNATURE = 8
/** It ends a sentence, and not with "Tom P.", or it has one and ends with a number or an address. */
const SENTENCE = /(?<!\s\p{Lu})[.!?…]["'”“)\]]?$|(?:[!?…]|\p{L}{5}\.)\s.*[\d\]]$/u

const isName = (line = ''): boolean =>
  ['name', 'polite'].includes(readLine(line.split(NAME_END, 1)[0] ?? '').kind)

/** Tells what someone adds behind a closing from a title, an address or a footer. */
function isSentence(line: string): boolean {
  const words = wordsOf(line)
  const grammar = words.filter((word) => isGrammar(word))
  return (
    line.endsWith('?') ||
    (/[.!…]$/.test(line) && grammar.length > 1 && words.length > 4 && !FOOTER.test(line))
  )
}
