// The API key, and masking it in everything that is written.

export interface Secret {
  readonly value: string
  /** First 8 hex digits of SHA-256; may be shown. */
  readonly fingerprint: string
  /** The key as servers echo it: plain, in JSON (slashes escaped or not), URL-encoded, in HTML, in base64. */
  readonly forms: readonly string[]
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
  // The longest first: a backslash left over from an escaped form would break JSON.
  return { value, fingerprint, forms: [...new Set(forms)].sort((a, b) => b.length - a.length) }
}

/** Whether the text contains the key in none of its forms. */
export const isWithout = (text: string, { forms }: Secret): boolean =>
  forms.every((form) => !text.includes(form))

/** Replaces the key by its fingerprint. */
export const maskText = (text: string, { fingerprint, forms }: Secret): string =>
  forms.reduce((masked, form) => masked.replaceAll(form, `[key ${fingerprint}]`), text)

/** `maskText` for every string and property name in a JSON value. */
export function maskValue(value: unknown, secret: Secret): unknown {
  if (typeof value === 'string') return maskText(value, secret)
  if (Array.isArray(value)) return value.map((item) => maskValue(item, secret))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [maskText(name, secret), maskValue(item, secret)]),
  )
}
