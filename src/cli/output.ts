// The two ways out: words for people on stderr, data for programs on stdout. No known key passes either.
import { AsyncLocalStorage } from 'node:async_hooks'
import { styleText } from 'node:util'
import { maskText, type Secret } from '../domain/secret.ts'
import { EXIT } from './exit-codes.ts'

const secrets: Secret[] = []

/** From now on the key is hidden in everything that is said. */
export function keepSecret(secret: Secret): void {
  if (!secrets.some(({ value }) => value === secret.value)) secrets.push(secret)
}

const listeners = new AsyncLocalStorage<(text: string) => void>()

/** Within `act`, and all that it begins, words for people go to `listen`, and to no stream. */
export const sayTo = <T>(listen: (text: string) => void, act: () => T): T => listeners.run(listen, act)

const mask = (text: string): string => secrets.reduce(maskText, text)

/** A line, or several, for people. */
export function say(text: string): void {
  const listen = listeners.getStore()
  if (listen === undefined) process.stderr.write(`${mask(text)}\n`)
  else listen(mask(text))
}

/** Exactly this text, for a terminal that is drawn on. */
export function draw(text: string): void {
  process.stderr.write(mask(text))
}

/** Resolves when the whole text is on its way: stdout may be a slow pipe. */
export async function printForPrograms(text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdout.write(`${mask(text)}\n`, () => resolve())
  })
}

/** Whether stderr is a terminal that understands being drawn on. */
export const isTerminal = (): boolean => process.stderr.isTTY && process.env['TERM'] !== 'dumb'

/** Colour on a terminal that wants it; NO_COLOR is kept. */
export function paint(colour: 'green' | 'red' | 'yellow' | 'bold', text: string): string {
  const noColour = process.env['NO_COLOR']
  const isWanted = isTerminal() && (noColour === undefined || noColour === '')
  return isWanted ? styleText(colour, text, { validateStream: false }) : text
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
