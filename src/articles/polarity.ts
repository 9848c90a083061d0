// What an answer says and its source denies, or the other way round: "You can change it", "no company phone".
import { NEGATION, SET_PHRASES } from './fact-words.ts'
import type { Passage, Passages } from './passages.ts'
import { CELL, isRow } from './rows.ts'
import { type Language, termsOf } from '../text/words.ts'

/** The patterns are whole words, or the end of one: "doesn't". */
const word = (patterns: readonly string[], ending = '(?!)'): RegExp =>
  new RegExp(
    `(?:(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})|(?<=\\p{L})${ending})(?![\\p{L}\\p{N}-])`,
    'giu',
  )

const NEGATES = word(
  [
    NEGATION,
    'nor|banned|excluded|exempt|optional|voluntary|off limits|out of the question|taboo',
    'stopped|ceased|discontinued|skip|costs? extra|(?:stay|keep|kept|left|leave) out',
    'ausgeschlossen|ausgenommen|befreit|freiwillig|tabu',
    'cessée?s?|exclue?s?|dispensée?s?|exonérée?s?|facultati(?:f|ve)s?',
    'dejado de|ahorrar(?:se|te)|excluid[oa]s?|exent[oa]s?|opcional(?:es)?|voluntari[oa]s?',
  ],
  "n *'t",
)
/** A clause with one of these claims outright what may be, must be or is part of it. */
const CLAIMS = word([
  'can|cannot|may|could|able|allowed|permitted|possible|must|ha(?:ve|s) to',
  'need(?:s|ed)?|necessary|required|asked for|mandatory|included|covered|insured|access',
  'kann|kannst|können|darf|darfst|dürfen|erlaubt|gestattet|möglich|in der lage|imstande',
  'muss|musst|müssen|nötig|erforderlich',
  'brauch(?:st|t|en)|inbegriffen|enthalten|gedeckt|versichert|zugriff',
  'peut|peuvent|pouvez|pourrez|(?:êtes )?(?:en mesure|capables?)|permise?s?|autorisée?s?|possibles?',
  'doit|doivent|devez|faut|obligatoires?',
  'inclus(?:es?)?|comprise?s?|couverte?s?|assurée?s?|accès',
  'puede[ns]?|podrá[ns]?|capa(?:z|ces)|permitid[oa]s?|posibles?|debe[ns]?',
  'hay que|necesita[ns]?|obligatori[oa]s?|incluid[oa]s?|asegurad[oa]s?|acceso',
])
/** A clause with one of these holds for a part, or for a time: what is not understood is not flagged. */
const LIMITS = word([
  'if|unless|then|in (?:that|this) case|only|except|until|after|before|when|while|once|during|than|some',
  'but|yet|still|longer|otherwise',
  'wenn|falls|dann|in d(?:ies)?em fall|nur|außer|erst|bis|nach|vor|während|sobald|mehr',
  'si|alors|dans ce cas|sauf|seulement|avant|après|lorsque|quand|pendant(?! (?:au moins )?\\d)',
  'entonces|en (?:ese|este|tal) caso|s[oó]lo|salvo|excepto|antes|después|cuando|hasta|mientras',
  // "Anyone who has not signed" says of whom, and denies nothing.
  "(?:who|that|which) (?:\\p{L}+n't|(?:(?:ha[sd]|have|is|are|do|does|did|can|may) )?(?:not|never))",
  "(?:we|you|they) have never|qui(?= n(?:e |'))|(?<=s )not \\p{L}+ed (?:by|before|until|within|in|on|at)",
  'too|as long as|provided|solange|sofern|tant que',
  'at least|at most|mindestens|höchstens|maximal|au (?:moins|plus|maximum)|al menos|máximo',
  // "No deposit up to £5,000" says nothing of more.
  "(?:up to|above|over|under|below|bis(?: zu)?|ab|über|unter|jusqu'à|dès|hasta|desde)(?= [^\\p{L}]{0,2}\\d)",
])
/** This says nothing, or both: "yes or no". */
const IDLE = word([
  SET_PHRASES,
  'yes or no|ja oder nein|oui ou non|sí o no',
  // It is included.
  '(?:for|costs?) nothing(?: extra)?|no (?:extra |additional )?(?:charge|cost|fee)s?|kostet? nichts',
  // What may be done without asking may be done.
  'without (?:\\p{L}+ )?(?:asking|permission|approval|consent)',
  'ohne (?:\\p{L}+ )?(?:nachfrage|erlaubnis|genehmigung|zu fragen)',
  'sans (?:demander|autorisation|permission|accord)|sin (?:pedir|permiso|autorización)',
])
const JOINT = / (?:and|but|whereas|because|or|und|aber|weil|oder|et|mais|ou|y|pero|o|porque) /giu
/** Germans write "nicht in der Lage, es zu tun". */
const BEFORE_INFINITIVE =
  /(?<=(?:in der lage|imstande|außerstande|erlaubt|gestattet|untersagt|verboten|möglich)),(?=[^,]+ zu )/giu
const CONDITIONS = [
  'if|unless|before|after|when|once|until|as long as|wenn|falls|bevor|nachdem|sobald|solange',
  'si|quand|lorsque|avant|après|cuando|antes|después',
].join('|')
const BEFORE_CONDITION = new RegExp(` (?=(?:${CONDITIONS}) )`, 'giu')
const IS_CONDITIONAL = new RegExp(`^[,|]? ?(?:${CONDITIONS}) `, 'iu')
const IS_CONDITION = new RegExp(`^ *(?:${CONDITIONS}) `, 'iu')
/** "No longer offered" is not offered. */
const NO_LONGER = /(?<![\p{L}])(?:no longer|nicht mehr|ya no)(?![\p{L}])/giu
/** "Without a chip, queue at the back" is a condition. */
const WITHOUT = /^[\s*-]*(?:without|ohne|sans|sin) /iu
const WHILE = new RegExp(`(?<![\\p{L}])(?:${CONDITIONS})(?![\\p{L}])`, 'iu')
const TOPIC = /^\s*(?:in|on|at|for|with|im|am|bei|mit|für|dans|sur|avec|pour|en|con|para) /iu
const IS = new RegExp(
  '(?<!\\p{L})(?:is|are|was|were|been|remains?|stays?|ist|sind|bleib(?:t|en)|est|sont|restent?' +
    '|es|son|queda[ns]?) (.*)',
  'iu',
)
/** "Neither read nor written" negates once. */
const AGAIN = /(?<![\p{L}])(?:nor|noch|ni)(?!\p{L})(?<=(?:neither|weder|ni|ne) [^.;]{0,200})/giu

/** A clause says one thing, without a condition. */
export interface Clause {
  readonly text: string
  /** It is an offset in the sentence. */
  readonly start: number
  readonly isNegated: boolean
  /** An outright clause says what may or must be, or what is not. */
  readonly isOutright: boolean
  readonly terms: ReadonlySet<string>
  /** "Free on buses, but not on trains": what goes before holds here, too, and this alone is denied. */
  readonly denied?: ReadonlySet<string>
  /** The first term behind "is" says what something is. */
  readonly predicate?: string | undefined
  /** It is the whole sentence, beside its clauses. */
  readonly isWhole?: boolean
}

export function clausesIn(written: string, language: Language | undefined, isAnswer = false): Clause[] {
  const sentence = written.replaceAll('’', "'")
  const blank = ({ length }: string): string => ' '.repeat(length)
  if (isRow(sentence)) return clausesOfRow(sentence, language)
  const isEver = sentence.search(WHILE) === -1
  let rest = !isEver
    ? sentence
    : sentence.replaceAll(NO_LONGER, (found) => found.replaceAll(/\S/g, '_').replace('__', 'no'))
  rest = rest.replaceAll(IDLE, blank).replaceAll(AGAIN, blank).replaceAll(/[*_`]/g, ' ')
  rest = rest.replaceAll(JOINT, ({ length }) => '|'.repeat(length))
  rest = rest.replaceAll(BEFORE_INFINITIVE, ' ')
  // What is allowed on a condition is allowed, where the source denies it without one.
  if (isAnswer) rest = rest.replaceAll(BEFORE_CONDITION, '|')
  const clauses = Array.from(rest.matchAll(/[^.:;!?()]+/g)).flatMap(({ 0: part, index }) => {
    let isAfterNegated = false
    let isConditional = false
    let last: Clause | undefined
    let opening: Clause | undefined
    return Array.from(part.matchAll(/(?:[^,|–]|,(?=\d))+/g)).flatMap(({ 0: said, index: at }): Clause[] => {
      const isNegated = (said.match(NEGATES)?.length ?? 0) % 2 === 1
      const isClaim = said.search(CLAIMS) !== -1
      const told = said
        .replaceAll(NEGATES, ' ')
        .replaceAll(CLAIMS, ' ')
        // ADM-1 is not ADM-2.
        .replaceAll(/(?<=\p{L})-(?=\d)/gu, '')
      const terms = new Set(termsOf(told, language))
      // In "no phone, laptop or seat" the rest of the list is negated, too.
      const isOpen = isNegated
        ? IS_CONDITIONAL.test(part.slice(at + said.length))
        : (isAfterNegated || isBeforeNegated(said, part.slice(at + said.length))) && !isClaim
      isAfterNegated = !IS_CONDITION.test(said) && (isNegated || (isAfterNegated && !isClaim))
      const start = index + at
      const text = written.slice(start, start + said.length)
      const [predicate] = termsOf(IS.exec(told)?.[1] ?? '', language)
      const clause: Clause = { text, start, isNegated, isOutright: isNegated || isClaim, terms, predicate }
      const joined = (other: Clause, alike: Partial<Clause> = {}): Clause => ({
        ...clause,
        terms: new Set([...other.terms, ...terms]),
        ...alike,
      })
      const isShort = terms.size <= MAX_DENIED
      // "If you cancel before then, there is no charge" denies nothing to others.
      const isUnder = isConditional && isNegated && !isAnswer
      isConditional = IS_CONDITION.test(said)
      if (terms.size === 0 || isOpen || isUnder || said.search(LIMITS) !== -1 || WITHOUT.test(said)) return []
      const found = [clause]
      if (isNegated && !isClaim && !isAnswer && isShort && last?.isNegated === false)
        found.push(joined(last, { denied: terms }))
      else if (isClaim && opening !== undefined) found.push(joined(opening))
      else if (!clause.isOutright && last?.isOutright === true && !last.isNegated && isShort && isAnswer)
        found.push(joined(last, { isOutright: true }))
      opening = !clause.isOutright && isShort ? clause : undefined
      // "In the app, it works" says nothing of the app alone.
      const isTopic = !clause.isOutright && TOPIC.test(said) && part.length > at + said.length
      if (isAnswer && isTopic) return []
      // "By city bikes and e-bikes" goes on with what is claimed.
      const isMore = !clause.isOutright && last?.isOutright === true && isShort
      if (!(isNegated && !isClaim && isShort))
        last = isMore && last ? joined(last, { isOutright: true, isNegated: last.isNegated }) : clause
      return found
    })
  })
  // What the source denies may be said in several clauses: "You may, and this includes documents".
  const isWhole = isAnswer && clauses.length > 1 && sentence.search(LIMITS) === -1
  if (!isWhole || sentence.search(NEGATES) !== -1) return clauses
  const terms = new Set(clauses.flatMap((clause) => [...clause.terms]))
  const isOutright = clauses.some((clause) => clause.isOutright)
  const text = written.replace(/[.!\s]+$/, '')
  return [...clauses, { text, start: 0, isNegated: false, isOutright, terms, isWhole: true }]
}

/** "An open link or an attachment is not allowed": neither is. */
function isBeforeNegated(said: string, behind: string): boolean {
  const [, next = ''] = /^\|+([^,|–]*)/.exec(behind) ?? []
  return !IS.test(said) && (next.match(NEGATES)?.length ?? 0) % 2 === 1
}

const MAX_DENIED = 3
const YES_OR_NO = /^(?:(?<yes>yes|ja|oui|sí|✓|✔|✅|x)|(?<no>no|nein|non|✗|✘|❌|–|-))$/iu

/** A cell says that its row has what its column is called, or has it not: "Payroll clerk | Bank: no". */
function clausesOfRow(row: string, language: Language | undefined): Clause[] {
  const [head = '', ...cells] = row.split(CELL)
  return cells.flatMap((cell): Clause[] => {
    const [column = '', said = ''] = cell.split(/: (?=[^:]*$)/)
    const { yes, no } = YES_OR_NO.exec(said.trim())?.groups ?? {}
    if (yes === undefined && no === undefined) return []
    const terms = new Set(termsOf(`${head} ${column}`, language))
    return [{ text: cell, start: 0, isNegated: no !== undefined, isOutright: true, terms }]
  })
}

/** The answer's clause says so much of the weight of the source's clause. */
const MIN_SAID = 0.7
/** What the answer claims outright need not say all of what the source denies: it may be one of several. */
const MIN_SAID_OUTRIGHT = 0.5
/** The source's sentence has so much of the weight of the answer's clause. */
const MIN_HELD = 0.5
/** A denial that the answer says in full may be less of the answer's clause. */
const MIN_HELD_OF_ALL = 0.25

/** There are more ways to deny something than are known here: "history", "taboo". */
const isKnown = ({ isOutright, predicate }: Clause, { terms }: Passage): boolean =>
  isOutright || predicate === undefined || terms.has(predicate)

/** What is optional may be done. */
const MAY = /(?<!\p{L})(?:may|can|kannst?|können|darf|dürfen|peu(?:t|x|vent|vez)|puede[sn]?)(?!\p{L})/iu
const OPTIONAL = /(?<!\p{L})(?:optional|voluntary|freiwillig|facultati(?:f|ve)|opcional|voluntari[oa])/iu
/** A longer text has no full stops: nobody knows what its "not" denies. */
const MAX_UNDERSTOOD = 400

const known = new WeakMap<Passage, readonly Clause[]>()

/** Finds the sentence of the source that says the opposite; null where one says the same outright. */
export function oppositeOf(
  clause: Clause,
  source: readonly Passage[],
  passages: Passages,
): Passage | null | undefined {
  const weigh = (terms: ReadonlySet<string>, others: ReadonlySet<string>): number => {
    let sum = 0
    for (const term of terms) if (others.has(term)) sum += passages.weightOf(term)
    return sum
  }
  const all = passages.weigh(clause.terms)
  let [opposite, most, same]: [Passage | undefined, number, number] = [undefined, 0, 0]
  for (const passage of source) {
    const held = weigh(clause.terms, passage.terms)
    if (
      passage.text.length > MAX_UNDERSTOOD ||
      (MAY.test(clause.text) && OPTIONAL.test(passage.text)) ||
      held < MIN_HELD_OF_ALL * all ||
      [...clause.terms].filter((term) => passage.terms.has(term)).length < 2
    )
      continue
    const clauses = known.get(passage) ?? clausesIn(passage.text, passage.language)
    known.set(passage, clauses)
    let [against, alike] = [0, 0]
    for (const { terms, isNegated, isOutright, denied } of clauses) {
      const shared = weigh(terms, clause.terms)
      const isClaimed = clause.isOutright && !clause.isNegated && isNegated
      // What alone is denied after what holds need not come with it: "No, not by touring bikes".
      const isDenial = denied !== undefined && clause.isNegated
      const least = isClaimed || isDenial ? MIN_SAID_OUTRIGHT : MIN_SAID
      if (shared < least * passages.weigh(terms) || (terms.size === 1 && clause.terms.size > 2)) continue
      if (denied !== undefined && ![...denied].every((term) => clause.terms.has(term))) continue
      const isAll = denied === undefined && [...terms].every((term) => clause.terms.has(term))
      if (held < MIN_HELD * all && !(isNegated && isAll && terms.size > 1)) continue
      if (isNegated === clause.isNegated) alike = Math.max(alike, shared)
      // What a heading or a list names is no claim.
      else if (isOutright && isKnown(clause, passage)) against = Math.max(against, shared)
    }
    if (against <= alike) same = Math.max(same, held)
    else if (held > most) [opposite, most] = [passage, held]
  }
  if (most > same) return opposite
  return clause.isOutright && same >= MIN_SAID * all ? null : undefined
}
