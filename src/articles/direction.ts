// The words beside a value say whether it is the least or the most: "at least", "ab". Or a rule: "a week".
import type { Fact } from './facts.ts'

/** The words before a value say whether something begins or ends there. */
const BOUNDS = [
  'at least|a minimum of|no (?:less|fewer) than|mindestens|wenigstens|au (?:moins|minimum)|minimum' +
    '|al menos|como mínimo|por lo menos',
  'at (?:the )?most|a maximum of|maximum|no(?:t)? more than|up to|höchstens|maximal|bis zu|nicht mehr als' +
    "|au (?:plus|maximum)|jusqu'à|como (?:máximo|mucho)|hasta|no más de",
]
const TIMES = [
  'after|from|as of|since|starting (?:at|on|from)|no(?:t)? earlier than|ab|nach|seit|frühestens' +
    '|après|à partir d[eu]|dès|depuis|después de|desde|a partir de',
  'before|until|till|by|no later than|vor|bis(?: zum?)?|spätestens' +
    "|avant|jusqu'(?:à|au)|au plus tard|antes de|hasta",
]
const BEHIND = [
  'at least|or (?:more|over|older)|minimum|oder (?:mehr|älter)|mindestens|au (?:moins|minimum)|ou plus|o más',
  'at (?:the )?most|maximum|or less|höchstens|maximal|oder weniger|au (?:plus|maximum)|ou moins|o menos',
]
const ARTICLE = '(?: (?:the|a|um|dem|der|den|le|la|les|el|las?|à|at|on|am))?'
const before = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})${ARTICLE} $`, 'iu')
const BEFORE_VALUE = BOUNDS.map(before)
const BEFORE_TIME = TIMES.map(before)
const BEHIND_VALUE = BEHIND.map(
  (words) => new RegExp(`^[^,.;]{0,20}?(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu'),
)
/** "Until two days before" is "at least two days before". */
const AHEAD = new RegExp(
  '^[^.;]{0,20}?(?<!\\p{L})(?:before|prior|ahead|advance|early|earlier|beforehand|left' +
    '|vor|vorher|zuvor|voraus|avant|avance|antes|antelación)(?!\\p{L})',
  'iu',
)
const PER_TIME = new RegExp(
  '^[*_]*(?: ?(?:times|mal|fois|veces))?(?: \\p{L}+){0,2} ' +
    '(?:per|an?|each|every|pro|im|jedes|par|al|por|cada) ' +
    '(?:day|week|month|year|quarter|semester|term|tag|woche|monat|jahr|quartal' +
    '|jour|semaine|mois|an|semestre|trimestre|día|semana|mes|año)(?!\\p{L})',
  'iu',
)

const wordsBefore = (text: string, { start }: Fact): string =>
  text
    .slice(Math.max(0, start - 40), start)
    .replaceAll(/[*_`]/g, '')
    .replaceAll('’', "'")

/** Returns 0 where something begins at the value, 1 where it ends there; -1 where nothing says so. */
function endOf(text: string, fact: Fact): number {
  const left = wordsBefore(text, fact)
  if (fact.kind === 'time' || fact.kind === 'date') return BEFORE_TIME.findIndex((words) => words.test(left))
  const right = text.slice(fact.end)
  if (AHEAD.test(right)) return -1
  const end = BEFORE_VALUE.findIndex((words) => words.test(left))
  return end === -1 ? BEHIND_VALUE.findIndex((words) => words.test(right)) : end
}

/** Two texts give one value, one as the least and one as the most. */
export function areOpposite(some: string, fact: Fact, other: string, known: Fact): boolean {
  const [end, otherEnd] = [endOf(some, fact), endOf(other, known)]
  return end !== -1 && otherEnd !== -1 && end !== otherEnd
}

/** "At most two", "three times a year": a small count that is a rule. */
export const isRule = (text: string, fact: Fact): boolean =>
  BEFORE_VALUE[1]?.test(wordsBefore(text, fact)) === true || PER_TIME.test(text.slice(fact.end))
