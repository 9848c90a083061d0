// Finds personal data: the contract wants none in `endUserRef`, and a question should hold none.

export type PersonalKind = 'e-mail' | 'phone' | 'card' | 'account'

/** French puts narrow spaces into numbers; a number does not go on in the next line. */
const SPACE = '[ \\u00a0\\u202f]'
/** A number begins and ends here: what is before and behind it belongs to no longer word or number. */
const START = '(?<![\\p{L}\\p{N}]|\\p{N}[.,:/-])'
const END = '(?![\\p{L}\\p{N}]|[.,:/-]\\p{N})'
const HOST = '[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8}'
const LOCAL = '[^\\s@<>"(),;:]{1,64}'
const EMAIL = new RegExp(`${LOCAL}(?:@|${SPACE}?[([](?:at|ät|arobase)[)\\]]${SPACE}?)${HOST}`, 'giu')
const SEPARATOR = `[${SPACE.slice(1, -1)}./()-]`

/** `02-11-2026` is a date, and no telephone number. */
const NO_DATE = '(?!\\d\\d[-./ ]{1,2}\\d\\d[-./ ]{1,2}(?:19|20)?\\d\\d(?![-./ ]?\\d))'

/** No other group of digits stands before it. */
const FIRST = `(?<!\\p{N}${SPACE})`

const anyOf = (...forms: readonly string[]): RegExp =>
  new RegExp(`${START}(?:${forms.join('|')})${END}`, 'giu')

/** People write telephone numbers so without a word that says so. */
const PHONE = anyOf(
  // +49 (0) 30 / 1234567
  `\\+${SPACE}?\\(?[1-9](?:${SEPARATOR}{0,4}\\d){6,14}`,
  // 0151 23456789, (020) 7946 0958, 089 / 123 45 67, 0033 6 12 34 56 78
  `${NO_DATE}${FIRST}(?:\\(0\\d{1,5}\\)|0(?: ?\\d){1,5})(?:${SPACE}|[/-]){0,3}` +
    `\\d(?:(?:${SPACE}|-){0,3}\\d){5,11}`,
  // (0221) 470-0
  `\\(0\\d{2,5}\\)${SPACE}?\\d{2,5}-\\d{1,2}`,
  // 06.12.34.56.78
  `0\\d(?:\\.\\d\\d){4}`,
  // 655 123 456, 91 234 56 78, 944 00 11 22
  `${FIRST}(?:[679]\\d\\d \\d{3} (?!000)\\d{3}|9\\d \\d{3} \\d\\d \\d\\d|9\\d\\d(?: \\d\\d){3})` +
    `(?!${SPACE}?[\\p{N}\\p{Sc}])`,
  // (555) 123-4567, 1-800-555-0199, 202.555.0143
  `${FIRST}(?:1[ -])?(?:\\([2-9]\\d\\d\\)${SPACE}?|[2-9]\\d\\d[-. ])\\d{3}[-. ]\\d{4}`,
)
const TELEPHONE =
  'my number|meine nummer|tel|t[eé]l[eé](?:ph|f)one?|telefon|phone|mobile?|cell|handy|fax|portable|m[oó]vil' +
  '|celular|natel|fon|ddi|(?:call|dial|ring)(?: me)?(?: on| at)?|calls? \\P{N}{1,30} to' +
  '|rappel\\p{L}*(?:-moi)? au|ll[aá]m\\p{L}+ al'
/** Fewer digits count behind a word for a telephone. */
const NAMED_PHONE = new RegExp(
  `(?<=(?<!\\p{L})(?:${TELEPHONE})(?: (?:number|no|nr|nummer))?(?: is| ist| est)?[.: ]{1,3})` +
    `\\(?\\d(?:${SEPARATOR}{0,3}\\d){5,14}${END}`,
  'giu',
)
const CARD = anyOf('[2-6]\\d{3}(?:[ -]?\\d){10,15}')
const IBAN = anyOf(`[A-Z]{2}\\d{2}(?:[ -]?[A-Z\\d]{4}){2,7}(?:[ -]?[A-Z\\d]{1,3})?`)

/** `check` gives the part at the beginning of a match that is personal data; by default all of it. */
const RULES: readonly { kind: PersonalKind; pattern: RegExp; check?: (match: string) => string }[] = [
  { kind: 'e-mail', pattern: EMAIL },
  { kind: 'account', pattern: IBAN, check: accountIn },
  { kind: 'card', pattern: CARD, check: (match) => (isCard(match.replaceAll(/\D/g, '')) ? match : '') },
  { kind: 'phone', pattern: NAMED_PHONE },
  { kind: 'phone', pattern: PHONE },
]

/** A number behind these words names a thing and nobody's telephone or card. */
const NAMES_A_THING = new RegExp(
  '(?<!\\p{L})(?:tickets?|inc|case|account|konto|booking|patient|policy|customer|request|order|invoice' +
    '|ref(?:erence)?|version|build|serial|sku|ean|sn|s/n|licen[cs]e|key|meeting|tracking|asset|tag|error' +
    '|code|po|imei|id|employee|product|part|model|room|transaction|bestell\\p{L}*|rechnung\\p{L}*' +
    '|kunden\\p{L}*|vorgang\\p{L}*|auftrag\\p{L}*|serien\\p{L}*|personal\\p{L}*|fehler\\p{L}*|raum' +
    '|geb[äa]ude|vertrag\\p{L}*|commande|facture|dossier|contrat|client|salle|pedido|factura|n°|#)' +
    '(?: ?(?:number|nummer|numéro|número|no|nr|n°|id|is|ist|est|es|#))*[.:]?[ #]*$',
  'iu',
)

export function replacePersonalData(text: string, mask: (kind: PersonalKind) => string): string {
  return RULES.reduce(
    (rest, { kind, pattern, check }) =>
      rest.replace(pattern, (match: string, ...details: unknown[]) => {
        const at = Number(details.at(-2))
        if ((kind === 'phone' || kind === 'card') && NAMES_A_THING.test(rest.slice(Math.max(0, at - 40), at)))
          return match
        const found = check === undefined ? match : check(match)
        return found === '' ? match : mask(kind) + match.slice(found.length)
      }),
    text,
  )
}

const LABELS: Readonly<Record<PersonalKind, string>> = {
  'e-mail': 'e-mail address',
  phone: 'telephone number',
  card: 'card number',
  account: 'account number',
}

export function findPersonalData(text: string): string[] {
  const found = new Set<PersonalKind>()
  replacePersonalData(text.normalize('NFKC'), (kind) => {
    found.add(kind)
    return ' '
  })
  return Object.entries(LABELS).flatMap(([kind, label]) => (found.has(kind as PersonalKind) ? [label] : []))
}

/**
 * Tests the issuer's digits and length (ISO/IEC 7812-1), without which every tenth long number would be a
 * card; then the check digit: every second digit counts double, less 9 above 9.
 */
function isCard(digits: string): boolean {
  if (!/^(?:3[47]\d{13}|3[068]\d{12}|(?:4|5[1-5]|2[2-7]|6|35)\d{14,15}|[46]\d{18})$/.test(digits))
    return false
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0)
  return sum % 10 === 0
}

/** Finds the account at the beginning of a match, which may have taken in words behind it. */
function accountIn(match: string): string {
  const parts = match.split(/(?=[ -])/)
  const ends = parts.map((_, index) => parts.slice(0, parts.length - index).join(''))
  return ends.find(isIban) ?? ''
}

/** Tests check digits (ISO 13616): the first four signs last, letters as 10 to 35, modulo 97. */
function isIban(text: string): boolean {
  const iban = text.replaceAll(/[ -]/g, '').toUpperCase()
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  )
  return (
    iban.length >= 15 && Array.from(digits, Number).reduce((rest, digit) => (rest * 10 + digit) % 97, 0) === 1
  )
}
