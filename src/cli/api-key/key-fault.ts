// What makes a text no key.
import { plural } from '../../domain/digits.ts'

/** A shorter word stands in every record, too: it could not be kept out of them. */
const SHORTEST_KEY = 8

/** Of a text without outer white space: words that do not repeat it, and go on with a sentence. */
export function keyFault(value: string): string | undefined {
  if (value.length < SHORTEST_KEY) return `has only ${plural(value.length, 'character')}; give the whole key`
  // RFC 6750: a bearer token is visible ASCII; anything else would be refused or mangled on the way.
  return /^[\x21-\x7e]+$/.test(value)
    ? undefined
    : 'holds white space, line breaks or signs beyond ASCII; give it anew'
}
