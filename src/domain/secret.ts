// Secrets, such as the API key, and hiding them in everything that is written.

export interface Mask {
  /** The longest text comes first, with what stands in its place. */
  readonly hidden: readonly (readonly [text: string, shown: string])[]
  /** A text that contains none of these needs no masking. */
  readonly signs: readonly string[]
}

export interface Secret extends Mask {
  readonly value: string
  /** It is the first 8 hex digits of SHA-256, and may be shown. */
  readonly fingerprint: string
}

/**
 * Hides the value as servers echo it: plain, in upper or lower case, in JSON, URL-encoded, in HTML, in hex,
 * and in base64 of any text that contains it, such as a whole header.
 */
export function createSecret(value: string, fingerprint: string): Secret {
  const json = JSON.stringify(value).slice(1, -1)
  const entities = value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  const slashes = json.replaceAll('/', String.raw`\/`)
  const plain = [value, value.toUpperCase(), value.toLowerCase(), json, slashes, ...escapedOf(value, json)]
  const bytes = [...new TextEncoder().encode(value)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const forms = [...plain, encodeURIComponent(value), entities, hex, hex.toUpperCase(), ...base64Of(bytes)]
  return { value, fingerprint, ...maskOf([...new Set(forms)].map((form) => [form, `[key ${fingerprint}]`])) }
}

/**
 * JSON of .NET, Gson and Go, in this order, has further escapes: they stay in an excerpt of a body, and in a
 * body that a gateway quotes.
 */
function escapedOf(value: string, json: string): string[] {
  const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(4, '0')
  return [
    value
      .replaceAll('\\', String.raw`\\`)
      .replaceAll(/["&'+<>`]/g, (sign) => `\\u${hexOf(sign).toUpperCase()}`),
    json.replaceAll(/[&'<=>]/g, (sign) => `\\u${hexOf(sign)}`),
    json.replaceAll(/[&<>]/g, (sign) => `\\u${hexOf(sign)}`),
  ]
}

/**
 * The characters depend on where the value begins in a group of three bytes. The first and the last may also
 * depend on what stands beside it, so the value is hidden with and without those.
 */
function base64Of(bytes: readonly number[]): string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const text = btoa(String.fromCharCode(...Array<number>(before).fill(0), ...bytes)).replace(/=+$/, '')
    const from = Math.ceil((before * 8) / 6)
    return [text.slice(from), text.slice(from, Math.floor(((before + bytes.length) * 8) / 6))]
  })
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

/** The longest comes first: a backslash left over from an escaped form would break JSON. */
function maskOf(all: Mask['hidden']): Mask {
  const hidden = all.toSorted(([a], [b]) => b.length - a.length)
  const texts = hidden.map(([text]) => text)
  return {
    hidden,
    signs: texts.filter((text) => !texts.some((other) => other !== text && text.includes(other))),
  }
}

export const joinMasks = (masks: readonly Mask[]): Mask => maskOf(masks.flatMap(({ hidden }) => hidden))

export const isWithout = (text: string, { signs }: Mask): boolean =>
  signs.every((sign) => !text.includes(sign))

export const maskText = (text: string, { hidden }: Mask): string =>
  hidden.reduce((masked, [form, shown]) => masked.replaceAll(form, shown), text)

/** Masks every string and property name in a JSON value. */
export function maskValue(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return maskText(value, mask)
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [maskText(name, mask), maskValue(item, mask)]),
  )
}
