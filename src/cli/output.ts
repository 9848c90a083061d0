// Output: the account of a command on stdout, progress and notes on stderr. Known keys are masked in both.
import { appendFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { maskSecrets } from '../library/secrets.ts'
import { messageOf } from '../options/faults.ts'
import { terminalText } from '../report/escape.ts'

export const EXIT = { ok: 0, usage: 2, incomplete: 4, fault: 5 } as const

/** Lines on stderr: errors, notes, progress. */
export const say = (text: string): void => draw(`${text}\n`)

/** `text` may come from elsewhere. */
export const note = (text: string): void => say(`Note: ${terminalText(text)}`)

/** Text without a line end, for progress drawn in place. */
export const draw = (text: string): void => void process.stderr.write(maskSecrets(text))

let stdout: 'open' | 'closed' | 'lost' = 'open'

/** Whether a text was lost, other than to a reader that closed the pipe (`| head`) or the terminal. */
export const isOutputLost = (): boolean => stdout === 'lost'

/** Resolves when the whole text is written, or cannot be: stdout may be a slow pipe, or a file on a full disk. */
export async function print(text: string): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    process.stdout.write(maskSecrets(`${text}\n`), resolve)
  })
  if (stdout !== 'open' || error === null || error === undefined) return
  const isClosed = error.code === 'EPIPE' || (error.code === 'EIO' && process.stdout.isTTY)
  stdout = isClosed ? 'closed' : 'lost'
  if (!isClosed) say(`stdout cannot be written: ${error.message}`)
}

export const printJson = async (value: unknown): Promise<void> => print(JSON.stringify(value, null, 2))

/** Whether progress can be drawn in place. */
export const isTerminal = (): boolean => process.stderr.isTTY && process.env['TERM'] !== 'dumb'

const COLOURS = { good: 'green', bad: 'red', warn: 'yellow', muted: 'gray', bold: 'bold' } as const

/** Colours on a terminal, unless NO_COLOR is set. */
export function paint(tone: keyof typeof COLOURS, text: string): string {
  const isWanted = process.stdout.isTTY && process.env['TERM'] !== 'dumb' && !process.env['NO_COLOR']
  return isWanted ? styleText(COLOURS[tone], text, { validateStream: false }) : text
}

/** Nobody reads a stream that cannot be written: the work goes on without it. `print` says what was lost. */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/** The summary for the job's page, annotations for its log. Does nothing outside of GitHub Actions, and never throws. */
export function reportToGithub(markdown: string, annotations: readonly string[]): void {
  const path = process.env['GITHUB_STEP_SUMMARY'] ?? ''
  try {
    // Several commands of a step share the file: a blank line stands between their summaries.
    if (path !== '') appendFileSync(path, `\n${markdown}`)
  } catch (error) {
    note(`$GITHUB_STEP_SUMMARY cannot be written: ${messageOf(error)}`)
  }
  annotate(annotations)
}

export function annotate(annotations: readonly string[]): void {
  if (process.env['GITHUB_ACTIONS'] === 'true') annotations.forEach(say)
}

/** Of several targets. An interruption stops all of them, so it outranks 4, 1 and 0. */
const WORST_CODE_FIRST = [5, 3, 143, 130, 4, 1, 0]

export function worstExitCode(codes: readonly number[]): number {
  return WORST_CODE_FIRST.find((code) => codes.includes(code)) ?? 5
}
