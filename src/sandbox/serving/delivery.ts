// What the client is to get, as a value: a whole answer, or one of the ways to spoil it.

export type Headers = Readonly<Record<string, string>>

export interface WholeForm {
  readonly kind: 'whole'
  readonly status: number
  readonly headers: Headers
  readonly body: string | Uint8Array
}

export type Form =
  | WholeForm
  /** Headers promise the whole body; half of it comes, then the connection closes. */
  | (Omit<WholeForm, 'kind'> & { readonly kind: 'truncated' })
  /** The whole body, in pieces spread over that time. */
  | (Omit<WholeForm, 'kind'> & { readonly kind: 'drip'; readonly overMs: number })
  /** TCP reset without a byte of answer. */
  | { readonly kind: 'reset' }
  /** Nothing, until the client gives up. */
  | { readonly kind: 'hang' }

export interface Delivery {
  readonly form: Form
  /** Milliseconds before it begins. */
  readonly delayMs: number
  /** What the log says of it. */
  readonly note?: string
}

const JSON_HEADERS: Headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
}

export function jsonForm(
  status: number,
  value: unknown,
  headers: Headers = {},
): WholeForm & { body: string } {
  return { kind: 'whole', status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) }
}

export const atOnce = (form: Form, note?: string): Delivery =>
  note === undefined ? { form, delayMs: 0 } : { form, delayMs: 0, note }

/** Headers of the form itself win. */
export function withHeaders(form: Form, headers: Headers): Form {
  return 'headers' in form ? { ...form, headers: { ...headers, ...form.headers } } : form
}
