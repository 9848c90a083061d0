// Errors of the file system and of the text's encoding, in words with their mend.

export const FOLDER = 'this is a folder, not a file; name the CSV file in it'

const FORBIDDEN = 'the file may not be read; give yourself the right to read it, or copy it'

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file; check its name and the folder you are in'],
  ['ENOTDIR', 'there is no such file, as a part of its path is a file, not a folder; check the path'],
  ['EISDIR', FOLDER],
  ['EACCES', FORBIDDEN],
  ['EPERM', FORBIDDEN],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'the file is broken UTF-16; save it again, as "CSV UTF-8"'],
])

/** Anything else is a bug of ours, and thrown on. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) throw error
  const code = String(error.code)
  const message = MESSAGES.get(code)
  if (message !== undefined) return message
  if (!('syscall' in error)) throw error
  return `the file cannot be read (${code}); copy it to another place and try again`
}
