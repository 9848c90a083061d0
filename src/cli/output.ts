// The two ways out: the account of a command on stdout, progress and notes on stderr. No known key passes either.
import { appendFileSync, statSync } from 'node:fs'
import { styleText } from 'node:util'
import { maskSecrets } from '../library/secrets.ts'
import { messageOf } from '../library/usage-error.ts'

export const EXIT = { ok: 0, usage: 2, incomplete: 4, fault: 5 } as const

/** A line, or several, for people who watch: errors, notes, progress. */
export const say = (text: string): void => draw(`${text}\n`)

/** Exactly this text, for a terminal that is drawn on. */
export const draw = (text: string): void => void process.stderr.write(maskSecrets(text))

/** Resolves when the whole text is on its way: stdout may be a slow pipe. */
export async function print(text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdout.write(maskSecrets(`${text}\n`), () => resolve())
  })
}

export const printJson = async (value: unknown): Promise<void> => print(JSON.stringify(value, null, 2))

/** The account of a command; where stdout is for JSON alone, beside the notes. */
export async function account(lines: readonly string[], json: boolean): Promise<void> {
  const text = lines.join('\n')
  if (json) say(text)
  else await print(text)
}

/** Whether stderr is a terminal that understands being drawn on. */
export const isTerminal = (): boolean => process.stderr.isTTY && process.env['TERM'] !== 'dumb'

const COLOURS = { good: 'green', bad: 'red', warn: 'yellow', muted: 'gray', bold: 'bold' } as const

/** Colour on a terminal that wants it; NO_COLOR is honoured. */
export function paint(tone: keyof typeof COLOURS, text: string): string {
  const isWanted = process.stdout.isTTY && process.env['TERM'] !== 'dumb' && !process.env['NO_COLOR']
  return isWanted ? styleText(COLOURS[tone], text, { validateStream: false }) : text
}

/** A reader that went away (`| head`, a closed terminal) is no fault of the run; an output that cannot be written is one. */
export function survivePipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY)) return
      say(`stdout or stderr cannot be written: ${error.message}`)
      process.exit(EXIT.fault)
    })
}

/** GitHub rejects the whole summary of a step that is longer. */
const MOST_BYTES = 1024 * 1024

/** The summary for the page of the job, annotations for its log. Does nothing outside of GitHub Actions, and never throws. */
export function tellGithub(markdown: string, annotations: readonly string[]): void {
  const path = process.env['GITHUB_STEP_SUMMARY'] ?? ''
  try {
    // Several steps of a script may share the file.
    const size = path === '' ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    const isRoom = size + Buffer.byteLength(markdown) < MOST_BYTES
    if (path !== '' && isRoom) appendFileSync(path, size === 0 ? markdown : `\n${markdown}`)
    if (!isRoom) say('Note: $GITHUB_STEP_SUMMARY is full: the summary stands in summary.md alone')
  } catch (error) {
    say(`Note: $GITHUB_STEP_SUMMARY was left as it is: ${messageOf(error)}`)
  }
  if (process.env['GITHUB_ACTIONS'] === 'true') annotations.forEach(say)
}

/** Of several targets. An interruption stops all of them, so it outranks 4, 1 and 0. */
const WORST_CODE_FIRST = [5, 3, 143, 130, 4, 1, 0]

export function worstExitCode(codes: readonly number[]): number {
  return WORST_CODE_FIRST.find((code) => codes.includes(code)) ?? 5
}
