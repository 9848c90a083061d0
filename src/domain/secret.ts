// Keeping the key out of everything that is written.
import { escapedForms, findEscaped, hasEscape, type EscapedForms } from './escaped-forms.ts'

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
