// Masks what a question set must not hold: personal data, addresses with a query, and names of people.
import type { MaskKind } from '../../domain/draft.ts'
import { replacePersonalData } from '../personal-data.ts'
import { CLOSINGS, GREETINGS, NOBODY } from './courtesy.ts'

/** The `mask` gives what stands instead, such as `[name]`. */
export function maskPersonal(text: string, mask: (kind: MaskKind) => string): string {
  const withoutLinks = text.replace(LINK, () => mask('link'))
  return maskNames(replacePersonalData(withoutLinks, mask), () => mask('name'))
}

/** A query often names a user or a session; an address without one is part of the question. */
const LINK = /(?:https?:\/\/|www\.)[^\s<>"'?]{1,500}\?[^\s<>"']*[^\s<>"'.,;:!?)\]]/giu

const PARTICLE = "(?:von der|von den|van der|van den|van|von|zu|zur|de la|de|du|d'|le|la) ?"
const NAME_WORD = "(?:\\p{Lu}(?:['’]\\p{Lu})?[\\p{L}'’]*\\p{L}(?:-\\p{Lu}\\p{L}+)*|\\p{Lu}\\.)"
/** One name has up to four words, at the beginning of a text. */
const NAME = `^(?:${PARTICLE})?${NAME_WORD}(?: (?:${PARTICLE})?${NAME_WORD}){0,3}`

const TITLE = '(?:(?:mr|mrs|ms|miss|dr|prof|mme|mlle)\\b\\.?|herrn?|frau|monsieur|madame|i\\. ?[av]\\.) '
const START = '(?<![\\p{L}\\p{N}])'
/** A name behind a greeting ends with a sign, or before words that begin a request: nouns have capitals. */
const GREETED_END =
  '(?=\\s*(?:[,.!:;–-]|$)| (?:can|could|i|my|the|we|is|please|how' +
  '|ich|wir|kannst|könntest|mein|meine|bitte|je|tu|mon|ma)\\b)'

/** The place matches in any case, the name behind it has capitals. */
const PLACES: readonly (readonly [place: RegExp, name: RegExp])[] = [
  [`${START}${TITLE}(?:${TITLE})?`, NAME],
  [`${START}(?:${GREETINGS}) `, NAME + GREETED_END],
  [`(?:^|[.!?,] ?)(?:${CLOSINGS})[,.!]?\\s{1,3}(?:${TITLE})?`, `${NAME}(?=[,.]?[^\\S\\n]*(?:\\n|$|[|/]))`],
  [`${START}(?:my name is|mein name ist|ich heiße|ich heisse|je m['’]appelle) `, NAME],
].map(([place = '', name = '']) => [new RegExp(place, 'gimu'), new RegExp(name, 'u')] as const)

const MAX_NAME_LENGTH = 80

function maskNames(text: string, mask: () => string): string {
  const names = new Set<string>()
  for (const [place, name] of PLACES)
    for (const found of text.matchAll(place)) {
      const at = found.index + found[0].length
      const [written = ''] = name.exec(text.slice(at, at + MAX_NAME_LENGTH)) ?? []
      // Small words are particles of a name.
      const isNobody = written
        .split(' ')
        .some((word) => /^\p{Lu}/u.test(word) && NOBODY.has(word.toLowerCase()))
      if (written !== '' && !isNobody) names.add(written)
    }
  // Whoever is named once is masked wherever the text names them.
  return [...names]
    .sort((some, other) => other.length - some.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .reduce((rest, name) => rest.replace(new RegExp(`${START}${name}(?!\\p{L})`, 'gu'), mask), text)
}
