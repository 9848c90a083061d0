// A path as a word of a shell's command line, so that a command that is shown can be pasted.

/** Quoted where it needs to be. */
export const shellWord = (path: string): string =>
  /^[\w./@%+:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
