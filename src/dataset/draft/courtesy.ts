// Reads a line of a ticket: whether it greets, signs off or asks, and whom it names, in four languages.
import { MASK_KINDS } from '../../domain/draft.ts'
import { isFunctionWord } from '../../text/words.ts'

/** The words of courtesy. A word that is in none of these, and no name, makes a clause matter. */
const WORDS = {
  greeting: `
    hi hiya hello hey dear day morning afternoon evening whom greetings hallo hallöchen liebe lieber
    liebes moin servus gott tag morgen mittag abend tach guten grüezi geehrte geehrter geehrtes bonjour
    bonsoir salut coucou cher chère chers chères hola buenos buenas días dias tardes noches estimado
    estimada estimados estimadas querido querida queridos queridas`,
  closing: `
    best br kr ty ta tx lg vg bg bien yours xoxo xx thanks thank thanking thx tks regards rgds wishes
    cheers sincerely faithfully respectfully
    cordially warmly weekend danke dank dankt dankeschön gruß grüße grüßen gruss
    grüsse grüssen gruesse grüßt mfg hochachtung hochachtungsvoll herzlichst wochenende wiedersehen ciao
    tschüss merci cordialement cdt salutations journée soirée bises amitiés gracias saludo saludos
    saluda slds cdlt bss bises bizz despide atentamente abrazo abrazos besos`,
  /** They say nothing beside those above. */
  polite: `
    a again all and advance both by everybody everyone folks forward good great guys have hearing help
    in it kind kindest looking lot many may concern much my nice or our please signed so soon speak
    support take care the there truly very warm warmest we with you your alle allen auf beste bestem
    besten bester dein deine dem die dir ein einen es euch eure euer freundlich freundliche freundlichem
    freundlichen freundlicher glück gute grüß herzlich herzliche herzlichem herzlichen hilfe ihnen ihr
    ihre ihren im lieben liebem mal mit mühe noch nochmal nochmals schnelle schon schonmal schöne
    schönem schönen schönes sehr und unterstützung viele vielen vielmals vorab voraus zusammen à avance
    beaucoup belle bon bonne bonnes d'avance en et meilleures par remerciant sincères toutes tous très
    bientôt vos votre vous sie es agradecido agradecida afectuoso se antemano ayuda bueno buen con
    cordial cordiales de día gran le les mil muchas muchísimas muchos muy por su que
    tenga tengas todo todos un una y`,
  /** What follows is no name: "Grüße aus Köln", "danke für Visio". */
  preposition: `at for from of to an aus bei für pour para desde`,
  title: `
    mr mrs ms miss dr prof professor herr herrn frau hr. fr. familie mme mlle monsieur madame messieurs
    mesdames sr sra srta señor señora don doña dra gez ppa i.a i.v h.c`,
  particle: `von van de der den da di du del della la le el al bin ten ter zu zum zur dos`,
  /** A department, a company or a role stands where a name may stand. */
  nobody: `
    accounting admin admins administrator ag billing buchhaltung co colleagues company controlling
    customer customers damen einkauf empfang facilities finance gmbh group helpdesk herren hotline hr
    inc it kg kollege kollegin kunde kunden legal leute llc logistics ltd madam marketing office
    operations payroll personal plc procurement purchasing reception rechnungswesen sales sarl sas
    security sekretariat sir sirs staff teams technik vertrieb world équipe accueil achats collègues
    comptabilité direction informatique équipo compañeros compras contabilidad departamento señores
    owner master manager managerin leiter leiterin engineer entwickler developer lead head director
    directeur gerente`,
} as const
type Kind = keyof typeof WORDS | 'name'
const KINDS = new Map<string, Kind>(
  Object.entries(WORDS).flatMap(([kind, words]) =>
    words
      .trim()
      .split(/\s+/)
      .map((word) => [word, kind as Kind]),
  ),
)
const NOBODY_AT_END =
  /(?:abteilung|büro|cent(?:er|re)|desk|dienst|kolleg(?:inn)?en|leitung|service|stelle|team|verwaltung)$/
/** "Respectueusement", "Cordialmente", "Freundlichst", "Grüssle" sign off; "Reimbursement" does not. */
const CLOSING_AT_END =
  /(?:eusement|alement|ellement|èrement|oisement|mente|lichst|benst|^gr[üu]e?(?:ss|ß)l[ei])$/
/** "O'Neill" and "R." are like names, "VPN" is not. */
const NAME_LIKE = /^\p{Lu}(?:\.?$|[^\p{N}]*\p{Ll}[^\p{N}]*$)/u

function kindOf(word: string): Kind | undefined {
  const lower = word.toLowerCase()
  const plain = lower.replace(/[.'-]+$/, '')
  if (NOBODY_AT_END.test(plain)) return 'nobody'
  if (CLOSING_AT_END.test(plain)) return 'closing'
  return KINDS.get(lower) ?? KINDS.get(plain) ?? (NAME_LIKE.test(word) ? 'name' : undefined)
}

/** A clause of kind `name` begins with a name or a department; one without either is `polite`. */
type Courtesy = 'greeting' | 'closing' | 'polite' | 'name'

interface Clause {
  /** The sign or word that ends the clause before. */
  readonly before: string
  readonly text: string
  /** It is undefined for a clause that says something. */
  readonly kind: Courtesy | undefined
  readonly names: readonly string[]
}

export interface Line {
  readonly kind: Courtesy | 'matter'
  /** A line of matter may thank, too. */
  readonly hasClosing: boolean
  readonly names: readonly string[]
}

/** A longer line is no courtesy, but may begin and end with it. */
export const MAX_COURTESY = 120

/** Reads courtesy at the beginning and at the end of a line; a line of nothing else is no matter. */
export function readLine(line: string): Line {
  const plain = line
    .replaceAll(MASK, ' ')
    .replaceAll('’', "'")
    .replaceAll(/\bi\. (?=[AV]\.)/g, 'i.')
  const clauses = clausesOf(plain.slice(0, MAX_COURTESY))
  const isLong = plain.length > MAX_COURTESY
  const hasClosing = !isLong && clauses.some(({ kind }) => kind === 'closing')
  if (isLong || clauses.some(({ kind }) => kind === undefined)) {
    const last = isLong ? clausesOf(plain.slice(-MAX_COURTESY)) : clauses
    return { kind: 'matter', hasClosing, names: [...namesGreeted(clauses), ...namesSigned(last)] }
  }
  const [first] = clauses
  const kinds = clauses.map(({ kind }) => kind)
  const kind =
    first?.kind === 'name'
      ? 'name'
      : ((['closing', 'greeting', 'name'] as const).find((some) => kinds.includes(some)) ?? 'polite')
  return { kind, hasClosing, names: clauses.flatMap(({ names }) => names) }
}

/** "Hallo Max, hallo Tine, wo ist …", "Hi Dave and Sue, where …", "Hi Tom can you …" */
function namesGreeted(clauses: readonly Clause[]): string[] {
  const names: string[] = []
  for (const { before, text, kind, names: named } of clauses) {
    const isJoined = kind === 'name' && /^(?:&|\s\p{L}+)$/u.test(before)
    const [start = ''] = kind === undefined ? text.split(REQUEST, 1) : []
    const begun = start === text ? undefined : clausesOf(start)[0]
    if (kind === 'greeting' || (isJoined && names.length > 0)) names.push(...named)
    else return begun?.kind === 'greeting' ? [...names, ...begun.names] : names
  }
  return names
}

/** "Wo ist der Beamer? Danke, Tine (Empfang)", "What now? - Pete", "Cheers, Pete, 0171 2345678" */
function namesSigned(clauses: readonly Clause[]): readonly string[] {
  for (const [start, { kind, before }] of clauses.entries()) {
    const isDashed = kind === 'name' && /^[-–—~/]+$/.test(before) && !clauses[start - 1]?.text.trim()
    if (kind !== 'closing' && !isDashed) continue
    const signed = clauses.slice(start)
    const end = signed.findIndex((clause) => clause.kind === undefined)
    const { before: sign = '', text = '' } = signed[end] ?? {}
    if (end > 0 && !/^[|(•·]/.test(sign) && !/^[\s\d+]{7,}$/.test(text)) continue
    return (end === -1 ? signed : signed.slice(0, end)).flatMap(({ names }) => names)
  }
  return []
}

function clausesOf(line: string): Clause[] {
  const parts = ['', ...line.split(CLAUSE_END)]
  const clauses: Clause[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const [before = '', text = ''] = parts.slice(at, at + 2)
    const words = text.match(WORD) ?? []
    if (words.length > 0 || at === 0)
      clauses.push({ before, text, ...readClause(words, text, clauses.at(-1)) })
    else clauses.push({ before, text, kind: 'polite', names: [] })
  }
  return clauses
}

function readClause(
  words: readonly string[],
  text: string,
  previous: Clause | undefined,
): Pick<Clause, 'kind' | 'names'> {
  const kinds = words.map(kindOf)
  const [last = ''] = words.slice(-1)
  const signer = [...(words.length === 1 ? [previous?.text.trim()] : []), ...words.slice(0, -1)].join(' ')
  const isSigned = kinds.indexOf(undefined) === words.length - 1 && SIGNERS.test(signer)
  if (isSigned && /^\p{Ll}{2,20}$/u.test(last) && !isGrammar(last)) return { kind: 'closing', names: [last] }
  if (WISH.test(text)) return { kind: 'closing', names: kinds.includes(undefined) ? [] : namesOf(words) }
  if (kinds.includes(undefined)) return { kind: undefined, names: [] }
  // "Monday morning" says something.
  const isSaid = (kinds[0] === 'name' || kinds[0] === 'nobody') && !kinds.includes('closing')
  const kind = (['closing', 'greeting'] as const).find((some) => kinds.includes(some)) ?? 'polite'
  return { kind: isSaid ? 'name' : kind, names: namesOf(words) }
}

/** "Hallo Herr Dr. von der Heide" names one, "Hello Learning team" none: a title makes sure of a name. */
function namesOf(clause: readonly string[]): string[] {
  const all = clause.map(kindOf)
  const end = all.findIndex((kind, index) => index > 0 && kind === 'preposition')
  // "Reciba un cordial saludo": a name stands behind the closing.
  const words = clause.slice(all.lastIndexOf('closing') + 1, end === -1 ? undefined : end)
  const kinds = words.map(kindOf)
  if (kinds.includes('nobody') && !kinds.includes('title')) return []
  const names: string[][] = [[]]
  for (const [index, word] of words.entries())
    if (kinds[index] === 'name' || kinds[index] === 'particle')
      names.at(-1)?.push(word.replace(/'s?$|-$/, ''))
    else names.push([])
  const found = names
    .map((name) => name.slice(0, name.findLastIndex((word) => kindOf(word) === 'name') + 1))
    .filter((name) => name.some((word) => kindOf(word) === 'name' && !word.endsWith('.')))
    .map((name) => name.join(' '))
    // "Grüße von der Küste".
    .filter((name) => kinds.includes('title') || !/^von de[mnr] /.test(name))
  // "Einen guten Start in die Woche" names nobody.
  return found.length > 1 && !kinds.includes('title') ? [] : found
}

/** Tells a word of many sentences, of whatever language. */
export const isGrammar = (word: string): boolean => isFunctionWord(word, 'fr') || isFunctionWord(word, 'es')

/** A name ends at a sign: "Tom Baker | Acme Ltd.", "Tom Baker, 0171 23456", but not "Visio, 3 licences". */
export const NAME_END = /[,|(•·\t](?!\s*\d+ \p{L})| [-–/] (?!\d)/u

/** "Frau Kollegin" and "I am Product Owner" name nobody. */
export const isNobody = (name: string): boolean => kindOf(name.split(' ').at(-1) ?? '') === 'nobody'

const MASK = new RegExp(`\\[(?:${MASK_KINDS.join('|')})\\]`, 'g')
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}.'-]*/gu
/** A stop behind a title or an initial ends nothing. */
const STOP = String.raw`(?<!(?<!\p{L})(?:[DdHhFfMm]rs?|[Pp]rof|[Mm]s|[Ss]ra?|[Dd]ra|\p{Lu}|i\.? ?[AV]))\.`
/** A clause ends at a sign, at "and", and before thanks. */
const CLAUSE_END = new RegExp(
  String.raw`([,;:!?/&|()•·–—~]|\p{Extended_Pictographic}|(?<=\s|^)-{1,2}(?=\s|\p{L})` +
    String.raw`|\s(?:and|und|or|oder|et|y)(?=\s)|${STOP}(?=\s)` +
    String.raw`|\s(?=(?:[Tt]hanks|[Tt]hx|[Cc]heers|[Dd]anke|[Mm]erci|[Gg]racias|MfG|mfg)(?!\p{L})))`,
  'u',
)
/** A request begins so behind a greeting. */
const REQUEST = new RegExp(
  String.raw`\s(?=(?:[Cc]an|[Cc]ould|I|[Mm]y|[Tt]he|[Ww]e|[Ii]s|[Pp]lease|[Hh]ow|[Ii]ch|[Ww]ir|[Kk]annst` +
    String.raw`|[Kk]önntest|[Mm]eine?|[Bb]itte|[Jj]e|[Tt]u|[Mm]on|[Mm]a|[Mm]i|[Ss]oy)\s)`,
  'u',
)
/** Whatever stands beside these: "Mit kollegialen Grüßen", "Best wishes and stay safe!" */
const WISH =
  /^\s*(?:[\p{L}.]+ ){0,3}(?:gr(?:ü|u|ue)(?:ß|ss)en?|regards|wishes|hochachtung)(?=[\s,.!]|$)[^?\d]*$/iu
/** The word behind them is a name, even in lower case: "lg anna". */
const SIGNERS = /(?<!\S)(?:regards|rgds|cheers|ciao|ta|mfg|lg|vg|gr(?:ü|u|ue)(?:ß|ss)e?|saludos)$/iu
