// Further request headers, as `--header` names them: `X-Gateway-Key: $GATEWAY_KEY`.

export interface HeaderSource {
  readonly name: string
  readonly variable: string
}

const OWN_HEADERS = (
  'accept authorization connection content-encoding content-length content-type expect host keep-alive ' +
  'proxy-authorization proxy-connection te trailer transfer-encoding upgrade user-agent'
).split(' ')

export const HEADER_MESSAGE =
  "must be like 'X-Gateway-Key: $GATEWAY_KEY' in single quotes: a value comes from an environment variable"

/** Reads a header, if the text is one: its name is a token (RFC 9110, 5.1). */
export function parseHeader(text: string): HeaderSource | undefined {
  const [, name, variable] =
    /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*\$\{?([A-Za-z_]\w{0,99})\}?\s*$/.exec(text) ?? []
  return name === undefined || variable === undefined ? undefined : { name, variable }
}

export const headerText = ({ name, variable }: HeaderSource): string => `${name}: $${variable}`

/** Says what is wrong, and repeats no value: somebody may have pasted a secret. */
export function headersFault(all: readonly (HeaderSource | undefined)[]): string | undefined {
  const names = all.map((header) => header?.name.toLowerCase() ?? '')
  if (names.length === 0 || names.includes('')) return HEADER_MESSAGE
  const reserved = names.find((name) => OWN_HEADERS.includes(name))
  if (reserved !== undefined) return `must not be ${reserved}: the harness or the connection writes it`
  const twice = names.find((name, index) => names.indexOf(name) < index)
  return twice === undefined ? undefined : `has ${twice} twice; keep one`
}
