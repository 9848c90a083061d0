// A path as a word of a shell's command line, so that a command that is shown can be pasted.

/** Quoted where it needs to be; one that begins with a dash would be taken for an option. */
export function shellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path
  return /^[\w./@%+:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
