// A value as JSON in pieces of text, for files that would be too long to hold as one.

/** Texts of a list's items are put together up to so many UTF-16 code units. */
const PIECE = 2 ** 16
const STEP = '  '

/**
 * Together the pieces are `JSON.stringify(value, null, 2)`. `value` is made of what JSON has: its lists and their items
 * are taken apart, no deeper than they are nested in objects. Throws nothing that `JSON.stringify` does not.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = ''
  for (const part of partsOf(value, '')) {
    piece += part
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

function* partsOf(value: unknown, indent: string): Generator<string> {
  const inner = indent + STEP
  if (Array.isArray(value) && value.length > 0) {
    yield '['
    for (const [place, item] of value.entries()) {
      yield `${place === 0 ? '' : ','}\n${inner}`
      yield* holdsLists(item) ? partsOf(item, inner) : [textOf(item, inner)]
    }
    yield `\n${indent}]`
  } else if (isRecord(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    yield entries.length === 0 ? '{' : '{\n'
    for (const [place, [name, item]] of entries.entries()) {
      yield `${place === 0 ? '' : ',\n'}${inner}${JSON.stringify(name)}: `
      yield* partsOf(item, inner)
    }
    yield entries.length === 0 ? '}' : `\n${indent}}`
  } else yield textOf(value, indent)
}

/** Line breaks of JSON stand between its values alone: within a text they are escaped. */
const textOf = (value: unknown, indent: string): string =>
  (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A small record is written at one go; one with lists in it may be long. */
const holdsLists = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).some((item) => Array.isArray(item) || isRecord(item))
