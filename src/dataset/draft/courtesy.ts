// Tells courtesy from matter: a text that only greets, thanks or signs off, in English, German and French.
import { MASK_KINDS } from '../../domain/draft.ts'

/** These sign off behind a stop. Within a sentence they are other words: "an LG monitor", "which is best". */
const SHORT_CLOSINGS = 'best br kr ty ta tx lg vg bg bien yours xoxo'
const LONG_CLOSINGS =
  'thanks thank thanking thx tks regards rgds wishes cheers sincerely faithfully respectfully weekend danke dank dankt ' +
  'dankeschön gruß grüße grüßen gruss grüsse grüssen gruesse grüßt mfg hochachtung hochachtungsvoll herzlichst ' +
  'wochenende wiedersehen merci cordialement salutations journée'

/** The words of courtesy. A word that is in none of these, and no name, makes a text matter. */
const WORDS = {
  greeting:
    'hi hiya hello hey dear day morning afternoon evening whom greetings hallo hallöchen liebe lieber liebes ' +
    'moin servus gott tag morgen mittag abend tach guten grüezi geehrte geehrter geehrtes bonjour bonsoir ' +
    'salut coucou cher chère chers chères',
  closing: `${SHORT_CLOSINGS} ${LONG_CLOSINGS}`,
  /** They say nothing beside those above. */
  polite:
    'a again all and advance both everybody everyone folks forward good great guys have hearing help in it kind ' +
    'kindest looking lot many may concern much my nice or our please so support the there truly very warm warmest we ' +
    'with you your alle allen auf beste bestem besten bester dein deine dem die dir ein einen es euch eure euer ' +
    'freundlich freundliche freundlichem freundlichen freundlicher glück gute grüß herzlich herzliche herzlichem ' +
    'herzlichen hilfe ihnen ihr ihre ihren im lieben liebem mal mit mühe noch nochmal nochmals schnelle schon ' +
    'schonmal schöne schönem schönen schönes sehr und unterstützung viele vielen vielmals vorab voraus zusammen ' +
    "à avance beaucoup bonne bonnes d'avance meilleures sincères tous toutes vos votre vous",
  /** What follows is no name: "Grüße aus Köln", "danke für Visio". */
  preposition: 'at for from of to an aus bei für par pour',
  title:
    'mr mrs ms miss dr prof professor herr herrn frau hr. fr. familie mme mlle monsieur madame messieurs ' +
    'mesdames gez ppa i.a i.v h.c',
  particle: 'von van de der den da di du del della la le el al bin ten ter zu zum zur dos',
  /** A department, a company or a role stands where a name may stand. */
  nobody:
    'accounting admin administrator ag billing buchhaltung co colleagues company controlling customer customers ' +
    'damen einkauf empfang facilities finance gmbh group helpdesk herren hotline hr inc kg kunde kunden legal ' +
    'leute llc logistics ltd madam marketing office operations payroll personal plc procurement purchasing ' +
    'reception rechnungswesen sales sarl sas security sekretariat sir sirs staff teams technik vertrieb world équipe',
} as const
type Kind = keyof typeof WORDS | 'name'
const KINDS = new Map<string, Kind>(
  Object.entries(WORDS).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind as Kind])),
)
const NOBODY_AT_END =
  /(?:abteilung|büro|cent(?:er|re)|desk|dienst|kolleg(?:inn)?en|leitung|service|stelle|support|team|verwaltung)$/
/** "O'Neill" and "R." are like names, "VPN" is not. */
const NAME_LIKE = /^\p{Lu}(?:\.?$|[^\p{N}]*\p{Ll}[^\p{N}]*$)/u

function kindOf(word: string): Kind | undefined {
  const lower = word.toLowerCase()
  const plain = lower.replace(/[.'-]+$/, '')
  if (NOBODY_AT_END.test(plain) && plain !== 'support') return 'nobody'
  return KINDS.get(lower) ?? KINDS.get(plain) ?? (NAME_LIKE.test(word) ? 'name' : undefined)
}

export interface Courtesy {
  readonly kind: 'greeting' | 'closing' | 'none'
  readonly names: readonly string[]
}

/** A longer text is no courtesy. */
export const MAX_COURTESY = 120
const MASK = new RegExp(`\\[(?:${MASK_KINDS.join('|')})\\]`, 'g')
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}.'-]*/gu
/** A stop behind a title or an initial ends nothing. */
const STOP = String.raw`(?<!\b(?:[DdHhFfMm]rs?|[Pp]rof|[Mm]s|\p{Lu}))\.`
const PART_END = new RegExp(String.raw`[,;:!?/&|()–—]| - |\s(?:and|und|or|oder|et)\s|${STOP}\s`, 'u')
/** Whatever stands beside them: "Mit kollegialen Grüßen", "Best wishes and stay safe!" */
const WISH =
  /^(?:[\p{L}.]+ ){0,3}(?:gr(?:ü|u|ue)(?:ß|ss)en?|regards|wishes|hochachtung)(?=[\s,.!]|$)[^?\d]*$/iu
/** The word behind them is a name, even in lower case: "lg anna". */
const SIGNED =
  /(?<!\S)(?:[Rr]egards|[Rr]gds|[Cc]heers|mfg|MfG|lg|LG|vg|VG|[Gg]r(?:ü|u|ue)(?:ß|ss)e?)[,.!]? (\p{Ll}{2,20})[^\p{L}]*$/u

/** Reads a text that holds nothing but courtesy, titles and names; undefined for any other. */
export function readCourtesy(text: string): Courtesy | undefined {
  if (text.length > MAX_COURTESY) return undefined
  const straight = text.replaceAll(MASK, ' ').replaceAll('’', "'")
  const bare = straight.replaceAll(/\bi\. (?=[AV]\.)/g, 'i.')
  const signed = SIGNED.exec(bare)?.[1] ?? ''
  if (signed !== '' && kindOf(signed) === undefined) {
    const rest = readCourtesy(bare.slice(0, bare.lastIndexOf(signed)))
    return rest && { ...rest, names: [...rest.names, signed] }
  }
  const parts = bare.split(PART_END).map((part) => part.match(WORD) ?? [])
  const kinds = parts.flat().map(kindOf)
  if (!WISH.test(bare) && kinds.includes(undefined)) return undefined
  const [first = []] = parts
  // "Monday morning" and "Visio, thanks" say something.
  const isSaid = kinds[0] === 'name' || kinds[0] === 'nobody'
  const kind = isSaid ? 'none' : (['closing', 'greeting'] as const).find((some) => kinds.includes(some))
  // "Hallo, Excel, Word" greets nobody; "Hi Anna, Ben" and "Dear all, dear Ben" do.
  const isEach = kind !== 'greeting' || namesOf(first).length > 0
  const named = isEach ? parts : parts.filter((part) => part.some((word) => kindOf(word) !== 'name'))
  return { kind: kind ?? 'none', names: named.flatMap(namesOf) }
}

/** "Hallo Herr Dr. von der Heide" names one, "Hello Learning team" none: a title makes sure of a name. */
function namesOf(part: readonly string[]): string[] {
  const end = part.findIndex((word, index) => index > 0 && kindOf(word) === 'preposition')
  const words = end === -1 ? part : part.slice(0, end)
  const kinds = new Set(words.map(kindOf))
  if (kinds.has(undefined) || (kinds.has('nobody') && !kinds.has('title'))) return []
  const names: string[][] = [[]]
  for (const word of words)
    if (isOfName(word)) names.at(-1)?.push(word.replace(/'s?$|-$/, ''))
    else names.push([])
  return names
    .map((name) => name.slice(0, name.findLastIndex((word) => kindOf(word) === 'name') + 1))
    .filter((name) => name.some((word) => kindOf(word) === 'name' && !word.endsWith('.')))
    .map((name) => name.join(' '))
    .filter((name) => kinds.has('title') || !PLACE.test(name))
}

const isOfName = (word: string): boolean => ['name', 'particle'].includes(kindOf(word) ?? '')
/** "Grüße von der Küste". */
const PLACE = /^von de[mnr] /

/** A greeting ends here at the beginning of a line: at a sign, or before a word that begins a request. */
const GREETING_END = new RegExp(
  String.raw`[^\p{L}\p{M}\s.'’@-]| -|${STOP}|\s(?:[Cc]an|[Cc]ould|I|[Mm]y|[Tt]he|[Ww]e|[Ii]s|[Pp]lease|[Hh]ow|[Ii]ch|[Ww]ir` +
    String.raw`|[Kk]annst|[Kk]önntest|[Mm]eine?|[Bb]itte|[Jj]e|[Tt]u|[Mm]on|[Mm]a)\s`,
  'u',
)

/** Lists the names in the greetings that begin a line: "Hallo Max, hallo Tine, wo ist …". */
export function namesGreeted(line: string): string[] {
  const beginning = line.slice(0, MAX_COURTESY)
  const at = beginning.search(GREETING_END)
  const courtesy = readCourtesy(at === -1 ? line : beginning.slice(0, at))
  if (courtesy === undefined || courtesy.kind === 'none') return []
  const rest = at === -1 ? '' : beginning.slice(at).replace(/^[^\p{L}]+/u, '')
  return [...courtesy.names, ...(rest === '' ? [] : namesGreeted(rest))]
}

/** "What now? - Pete" signs, too. */
const CLOSING_WITHIN = new RegExp(
  `(?:(?<=(?:^|[.!?)]) {0,3})(?:${SHORT_CLOSINGS.replaceAll(' ', '|')}|(?:[-–—~]{1,2}|//)(?= ?\\p{L}))` +
    `|(?<![\\p{L}-])(?:${LONG_CLOSINGS.replaceAll(' ', '|')}))(?![\\p{L}-])`,
  'giu',
)

/** Lists the names in the closing that ends a line: "Wo ist der Beamer? Danke, Tine (Empfang)". */
export function namesSigned(line: string): string[] {
  const end = line.slice(-MAX_COURTESY)
  for (const { index } of end.matchAll(CLOSING_WITHIN)) {
    const [closing = ''] = end.slice(index).split(/[|(•·\d]/, 1)
    // "Thanks a million, Tine": nothing but the end may have capitals.
    const [, name = closing] = /^.[^\p{Lu}]{0,40}, (\p{Lu}[^,]*)$/u.exec(closing) ?? []
    const courtesy = readCourtesy(closing) ?? readCourtesy(name)
    if (courtesy !== undefined) return [...courtesy.names]
  }
  return []
}
