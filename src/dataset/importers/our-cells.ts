// Texts of other tools as our own cells want them.

/** For `expect_contains` and `expect_not_contains`, where a bar separates and a backslash stands before a sign that is meant. */
export const writePhrases = (phrases: readonly string[]): string =>
  phrases.map((phrase) => phrase.replaceAll(/[\\|]/g, String.raw`\$&`)).join('|')

/** For `tags`, where a semicolon separates. */
export const writeTags = (tags: readonly string[]): string =>
  tags.map((tag) => tag.replaceAll(';', ',')).join(';')

/** A regular expression (flag `u`) that matches this text and no other. */
export const matchText = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
