// Shows how far the runs are: drawn in place on a terminal, a line every few seconds elsewhere.
import { shorten, visible } from '../report/visible.ts'
import { draw, isTerminal, say } from './output.ts'
import type { Progress } from './progress.ts'

const REDRAW_MS = 200
const LINE_MS = 5000

export interface ProgressDisplay {
  /** Clears what is drawn, for other words to be said. */
  end(): void
}

export type ShowProgress = (runs: readonly ShownRun[]) => ProgressDisplay

export interface ShownRun {
  readonly name: string
  readonly progress: Progress
}

export function showProgress(runs: readonly ShownRun[]): ProgressDisplay {
  const onTerminal = isTerminal()
  const describe = (): string[] =>
    runs.map(({ name, progress }) =>
      visible(`${runs.length > 1 ? `${name}: ` : ''}${progress.describe(Date.now())}`),
    )
  let drawn = 0
  const erase = (): void => {
    if (drawn > 0) draw(`\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(drawn - 1)}`)
    drawn = 0
  }
  const redraw = (): void => {
    const columns = Math.max(20, (process.stderr.columns || 80) - 1)
    const lines = runs
      .flatMap(
        ({ progress }, place) =>
          progress.draw?.(Date.now(), columns).map(visible) ?? [describe()[place] ?? ''],
      )
      .map((line) => shorten(line, columns))
    erase()
    draw(lines.join('\n'))
    drawn = lines.length
  }
  const timer = setInterval(
    onTerminal ? redraw : () => describe().forEach((line) => say(line)),
    onTerminal ? REDRAW_MS : LINE_MS,
  )
  timer.unref()
  return {
    end: () => {
      clearInterval(timer)
      if (onTerminal) erase()
    },
  }
}
