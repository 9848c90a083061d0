// "Did you mean": the known word that is closest to what was typed.
import { distance } from 'fastest-levenshtein'

/** The name that the word begins, or the one nearest to it; undefined where nothing is within a third of the word. */
function closest(word: string, known: readonly string[]): string | undefined {
  const begun = known.find((name) => word.length >= 3 && name.startsWith(word))
  if (begun !== undefined) return begun
  const ranked = known
    .map((name) => ({ name, distance: distance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  const limit = Math.max(2, Math.floor(word.length / 3))
  return best !== undefined && best.distance <= limit ? best.name : undefined
}

export function didYouMean(word: string, known: readonly string[], prefix = ''): string {
  const name = closest(word, known)
  return name === undefined ? '' : `; did you mean ${prefix}${name}?`
}
