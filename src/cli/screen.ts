// The account of a command on stdout, progress and notes on stderr. Known keys are masked in both.
import { appendFileSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { styleText } from 'node:util'
import { StorageError, TakenOver } from '../domain/storage-error.ts'
import type { Secrets } from '../library/index.ts'
import { messageOf } from '../options/faults.ts'
import type { Annotation } from '../report/annotations.ts'
import { logJson, shellWord, terminalText } from '../report/escape.ts'

export const EXIT = { ok: 0, usage: 2, incomplete: 4, fault: 5 } as const

const COLOURS = { good: 'green', bad: 'red', warn: 'yellow', muted: 'gray', bold: 'bold' } as const

export class Screen {
  /** Makes stderr hold one JSON object a line. */
  isJson = false
  readonly #secrets: Secrets
  #stdout: 'open' | 'closed' | 'lost' = 'open'

  constructor(secrets: Secrets) {
    this.#secrets = secrets
    // Nobody reads a stream that cannot be written: the work goes on without it. `print` says what was lost.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  }

  say(text: string): void {
    if (this.isJson) this.log({ event: 'message', text: text.trim() })
    else this.draw(`${text}\n`)
  }

  note(text: string): void {
    if (this.isJson) this.log({ event: 'note', text })
    else this.say(`Note: ${terminalText(text)}`)
  }

  log(fields: Readonly<Record<string, unknown>>): void {
    this.draw(`${logJson(JSON.stringify({ time: new Date().toISOString(), ...fields }))}\n`)
  }

  draw(text: string): void {
    process.stderr.write(this.#secrets.mask(text))
  }

  /** Tells a lost output from a reader that closed the pipe (as `head` does) or the terminal. */
  get isOutputLost(): boolean {
    return this.#stdout === 'lost'
  }

  /** Resolves when the whole text is written, or cannot be: stdout may be a slow pipe or on a full disk. */
  async print(text: string): Promise<void> {
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>((settle) => {
      process.stdout.write(this.#secrets.mask(`${text}\n`), settle)
    })
    if (this.#stdout !== 'open' || error === null || error === undefined) return
    const isClosed = error.code === 'EPIPE' || (error.code === 'EIO' && process.stdout.isTTY)
    this.#stdout = isClosed ? 'closed' : 'lost'
    if (!isClosed) this.say(`stdout cannot be written: ${error.message}`)
  }

  async printJson(value: unknown): Promise<void> {
    await this.print(logJson(JSON.stringify(value, null, 2)))
  }

  get isTerminal(): boolean {
    return process.stderr.isTTY && process.env['TERM'] !== 'dumb'
  }

  paint(tone: keyof typeof COLOURS, text: string): string {
    const isWanted = process.stdout.isTTY && process.env['TERM'] !== 'dumb' && !process.env['NO_COLOR']
    return isWanted ? styleText(COLOURS[tone], text, { validateStream: false }) : text
  }

  /** Writes the job's page on GitHub. Does nothing elsewhere, and never throws. */
  summarise(markdown: string): void {
    const page = process.env['GITHUB_STEP_SUMMARY'] ?? ''
    if (page === '') return
    try {
      // Several commands of a step share the file: a blank line stands between their summaries.
      appendFileSync(page, `\n${markdown}`)
    } catch (error) {
      this.note(`$GITHUB_STEP_SUMMARY cannot be written: ${messageOf(error)}`)
    }
  }

  annotate(annotations: readonly Annotation[]): void {
    if (process.env['GITHUB_ACTIONS'] !== 'true') return
    const root = process.env['GITHUB_WORKSPACE'] ?? process.cwd()
    for (const annotation of annotations) this.draw(`${githubAnnotation(annotation, root)}\n`)
  }
}

const WORST_CODE_FIRST = [5, 3, 143, 130, 4, 2, 1, 0]

export function worstExitCode(codes: readonly number[]): number {
  return WORST_CODE_FIRST.find((code) => codes.includes(code)) ?? 5
}

export function sayFailure(error: unknown, screen: Screen): number {
  if (error instanceof TakenOver) {
    screen.say(terminalText(error.message))
    return EXIT.incomplete
  }
  if (error instanceof StorageError && error.folder !== undefined)
    return sayUnwritten(error.folder, error.message, screen)
  if (error instanceof StorageError) {
    const what = `the reports cannot be written (${terminalText(error.message)})`
    screen.say(`${what}: fix that, or name another folder with --out`)
    return EXIT.usage
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  screen.say(`A fault of the harness itself: ${text.split('\n').map(terminalText).join('\n')}`)
  return EXIT.fault
}

export function sayUnwritten(folder: string, reason: string, screen: Screen): number {
  screen.say(`The reports cannot be written: ${terminalText(reason)}`)
  screen.say(`Fix that, then run: npx assist-harness report ${shellWord(folder)}`)
  return EXIT.incomplete
}

/** Escapes as actions/toolkit does (packages/core/src/command.ts). A file outside of `root` is not named. */
export function githubAnnotation({ level, title, lines, file, line }: Annotation, root: string): string {
  const escapeData = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const escapeProperty = (text: string): string =>
    escapeData(terminalText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
  const path = file === undefined ? '' : relative(root, resolve(file))
  const isInside = path !== '' && !path.startsWith('..') && !isAbsolute(path)
  const properties = [
    ...(isInside ? [`file=${escapeProperty(path.split(sep).join('/'))}`, `line=${line ?? 1}`] : []),
    `title=${escapeProperty(title)}`,
  ]
  const message = lines.map((text) => escapeData(terminalText(text))).join('%0A')
  return `::${level} ${properties.join(',')}::${message}`
}
