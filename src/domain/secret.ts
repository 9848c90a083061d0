// Keeping the key out of everything that is written.

export interface Secret {
  readonly value: string
  /** First 8 hex digits of SHA-256: may be shown. */
  readonly fingerprint: string
  /** The key as servers echo it: plain, within JSON (slashes escaped or not), URL-encoded, as HTML, in base64. */
  readonly forms: readonly string[]
  /** And with any of its signs escaped, each in its own way. */
  readonly escaped: EscapedForms
}

export function createSecret(value: string, fingerprint: string): Secret {
  const json = JSON.stringify(value).slice(1, -1)
  const entities = value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  const base64 = /^[\x20-\x7e]*$/.test(value) ? [btoa(value).replace(/=+$/, '')] : []
  const slashes = json.replaceAll('/', String.raw`\/`)
  const forms = [value, json, slashes, encodeURIComponent(value), entities, ...base64]
  return { value, fingerprint, forms: [...new Set(forms)], escaped: escapedForms(value) }
}

/** Whether the key stands nowhere in a text, in none of its forms. */
export function isWithout(text: string, { forms, escaped }: Secret): boolean {
  for (const form of forms) if (text.includes(form)) return false
  return !hasEscape(text, escaped) || findEscaped(text, escaped) === undefined
}

/** Hides the key wherever it stands in a text. */
export function maskText(text: string, { fingerprint, forms, escaped }: Secret): string {
  const mark = `[key ${fingerprint}]`
  // First, so that no backslash before a sign of the key is left over, which would break JSON.
  const unescaped = hasEscape(text, escaped) ? maskEscaped(text, mark, escaped) : text
  return forms.reduce(
    (masked, form) => (masked.includes(form) ? masked.replaceAll(form, mark) : masked),
    unescaped,
  )
}

function maskEscaped(text: string, mark: string, escaped: EscapedForms): string {
  let masked = ''
  let done = 0
  for (
    let found = findEscaped(text, escaped);
    found !== undefined;
    found = findEscaped(text, escaped, done)
  ) {
    masked += text.slice(done, found[0]) + mark
    done = found[1]
  }
  return masked + text.slice(done)
}

/** The same for every string, and every property name, within a JSON value. */
export function maskValue(value: unknown, secret: Secret): unknown {
  if (typeof value === 'string') return maskText(value, secret)
  if (Array.isArray(value)) return value.map((item) => maskValue(item, secret))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [maskText(name, secret), maskValue(item, secret)]),
  )
}

interface EscapedForms {
  /** Whether a text has an escape in it that could stand for a sign of the key: cheap, and mostly false. */
  readonly hint: RegExp
  /** Where the first signs stand in any of their forms. */
  readonly start: RegExp
  /** Per sign its forms: from a given place each of them ends at one place at most. */
  readonly signs: readonly (readonly RegExp[])[]
}

/** Signs of which the start is looked for by one expression: few, so that it cannot take long. */
const START_SIGNS = 3
/** JSON within JSON within JSON. */
const BACKSLASHES = String.raw`\\{1,8}`
const NAMED = new Map(Object.entries({ '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' }))

function escapedForms(key: string): EscapedForms {
  const signs = Array.from(key, formsOf)
  const first = signs.slice(0, START_SIGNS).map((forms) => `(?:${forms.join('|')})`)
  const marks = Array.from(key).filter(isMark).map(literal)
  return {
    hint: new RegExp(String.raw`\\(?:[ux]${['', ...marks].join('|')})|%[0-9a-fA-F]{2}|&(?:#|[a-z]{2,4};)`),
    start: new RegExp(first.join(''), 'g'),
    signs: signs.map((forms) => forms.map((form) => new RegExp(form, 'y'))),
  }
}

const hasEscape = (text: string, { hint }: EscapedForms): boolean =>
  (text.includes('\\') || text.includes('%') || text.includes('&')) && hint.test(text)

/** The first place from `from` on where the whole key stands, in any mix of forms: [start, end). */
function findEscaped(
  text: string,
  { start, signs }: EscapedForms,
  from = 0,
): readonly [number, number] | undefined {
  if (signs.length === 0) return undefined
  for (let at = from; ; at++) {
    start.lastIndex = at
    const found = start.exec(text)
    if (found === null) return undefined
    at = found.index
    const end = endOf(text, at, signs)
    if (end !== undefined) return [at, end]
  }
}

/** All places at once where each sign may end: a choice of forms is never tried twice. */
function endOf(text: string, start: number, signs: EscapedForms['signs']): number | undefined {
  let ends = [start]
  for (const forms of signs) {
    const next = new Set<number>()
    for (const at of ends)
      for (const form of forms) {
        form.lastIndex = at
        if (form.test(text)) next.add(form.lastIndex)
      }
    if (next.size === 0) return undefined
    ends = [...next]
  }
  return Math.max(...ends)
}

/** Expressions, none of which can match at one place in two lengths. */
function formsOf(sign: string): string[] {
  const code = sign.codePointAt(0) ?? 0
  const units = sign.split('').map((unit) => BACKSLASHES + 'u' + hex(unit.charCodeAt(0), 4))
  const bytes = [...new TextEncoder().encode(sign)].map((byte) => percent(byte))
  const number = `#(?:0{0,7}${code}(?:;|(?![0-9;]))|[xX]0{0,7}${hex(code)}(?:;|(?![0-9a-fA-F;])))`
  const forms = [
    literal(sign),
    units.join(''),
    String.raw`${BACKSLASHES}u\{0{0,5}${hex(code)}\}`,
    `&(?:amp;){0,3}${number}`,
    bytes.join(''),
  ]
  if (code <= 0xff) forms.push(`${BACKSLASHES}x${hex(code, 2)}`)
  if (code > 0x7f && code <= 0xff) forms.push(percent(code))
  // Repeated escapes of what escapes itself end at several places: one form each.
  if (sign === '\\') forms.push(...[2, 4, 8].map((times) => String.raw`\\{${times}}`))
  else if (isMark(sign)) forms.push(BACKSLASHES + literal(sign))
  if (sign === '%') forms.push('%2525', '%252525')
  const name = NAMED.get(sign)
  if (sign === '&') forms.push('&amp;', '&amp;amp;', '&amp;amp;amp;')
  else if (name !== undefined) forms.push(`&(?:amp;){0,3}${name};`)
  return forms
}

const isMark = (sign: string): boolean => /^[!-/:-@[-`{-~]$/.test(sign)

const literal = (sign: string): string =>
  sign
    .split('')
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Upper or lower case. */
const hex = (code: number, digits = 1): string =>
  code
    .toString(16)
    .padStart(digits, '0')
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** Of one byte; encoded again, its sign of per cent is %25. */
const percent = (byte: number): string => (byte === 0x25 ? '%25' : `%(?:25){0,3}${hex(byte, 2)}`)
