// How far runs are: drawn in place on a terminal, a line every few seconds elsewhere.
import { digits } from '../domain/text.ts'
import type { PaceEvent, Progress, RunEvent, RunProgress, SearchProgress } from '../library/events.ts'
import { formatPace } from '../library/limiters.ts'
import { renderLoadLine, renderLoadLive } from '../report/load-live.ts'
import { findingWords } from '../report/limit-words.ts'
import { duration, percent } from '../report/numbers.ts'
import { shorten, visible } from '../report/visible.ts'
import { fit, wrap } from '../report/wrap.ts'
import { draw, isTerminal, say } from './output.ts'

const REDRAW_MS = 200
const LINE_MS = 5000
/** The recent past from which the time left is guessed. */
const RECENT_MS = 30_000

interface Shown {
  progress?: Progress
  pace?: PaceEvent
  readonly recent: { at: number; done: number }[]
}

/** Takes the events of all targets; `end` clears what is drawn. */
export function createDisplay(): {
  readonly hear: (event: RunEvent, target: string) => void
  readonly end: () => void
} {
  const targets = new Map<string, Shown>()
  const onTerminal = isTerminal()
  let drawn = 0
  let timer: NodeJS.Timeout | undefined
  const erase = (): void => {
    if (drawn > 0) draw(`\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(drawn - 1)}`)
    drawn = 0
  }
  const lines = (columns: number): string[] =>
    [...targets].flatMap(([name, shown]) =>
      describe(shown, columns).map((line) => visible(`${targets.size > 1 ? `${name}: ` : ''}${line}`)),
    )
  const show = (): void => {
    if (!onTerminal) return lines(Infinity).forEach(say)
    const columns = Math.max(20, (process.stderr.columns || 80) - 1)
    const fitting = lines(columns).map((line) => shorten(line, columns))
    erase()
    draw(fitting.join('\n'))
    drawn = fitting.length
  }
  return {
    hear: (event, target) => {
      if (event.kind !== 'pace' && event.kind !== 'progress') {
        if (event.kind === 'note') erase()
        return
      }
      const shown: Shown = targets.get(target) ?? { recent: [] }
      targets.set(target, shown)
      if (event.kind === 'pace') shown.pace = event
      else shown.progress = event.progress
      timer ??= setInterval(show, onTerminal ? REDRAW_MS : LINE_MS).unref()
    },
    end: () => {
      clearInterval(timer)
      erase()
    },
  }
}

/** `columns` is infinite where one line is wanted. */
function describe({ progress, pace, recent }: Shown, columns: number): string[] {
  switch (progress?.of) {
    case undefined:
      return []
    case 'run':
      return [describeRun(progress, pace, recent, Date.now())]
    case 'load': {
      const line = renderLoadLine(progress.snapshot)
      if (columns === Infinity) return [line]
      const whole = renderLoadLive(progress.snapshot, Infinity)
      return whole.every((one) => one.length <= columns) ? [...whole] : wrap(line, '', columns)
    }
    case 'search': {
      const [counts, known] = describeSearch(progress)
      return columns === Infinity ? [`${counts}; ${known}`] : [fit(counts, columns), fit(known, columns)]
    }
  }
}

/** Done, pace, coverage so far, 429s, errors, time left. */
export function describeRun(
  { done, total, grounded, answered, rateLimited, attempts, errors }: RunProgress,
  pace: PaceEvent | undefined,
  recent: Shown['recent'],
  now: number,
): string {
  const until = pace?.pausedUntil ?? 0
  const isPaused = until > now
  const time = `${new Date(until).toISOString().slice(11, 19)}Z`
  return [
    `${digits(done)}/${digits(total)} turns`,
    ...(isPaused
      ? [`paused until ${time} (${pace?.cause ?? ''})`]
      : pace === undefined
        ? []
        : [`pace ${formatPace(pace.pace)}`]),
    ...(answered === 0 ? [] : [`coverage ${percent(grounded / answered)}`]),
    `429s ${digits(rateLimited)}/${digits(attempts)}`,
    `errors ${digits(errors)}`,
    ...timeLeft(done, total, recent, now, isPaused),
  ].join(', ')
}

/** What was reached before a pause says nothing of the pace after it. */
function timeLeft(
  done: number,
  total: number,
  recent: Shown['recent'],
  now: number,
  isPaused: boolean,
): string[] {
  if (isPaused) recent.length = 0
  else recent.push({ at: now, done })
  while (recent.length > 2 && (recent[0]?.at ?? now) < now - RECENT_MS) recent.shift()
  const [since] = recent
  const gained = done - (since?.done ?? done)
  if (since === undefined || gained <= 0 || done === total) return []
  return [`${duration(((now - since.at) / gained) * (total - done))} left`]
}

const TRIES = {
  burst: 'sends as fast as it may until a call gets 429',
  probe: 'looks when the limit opens again',
  sit: 'sends evenly, near the rate it expects',
  rest: 'waits for the window to turn',
} as const

function describeSearch(search: SearchProgress): [counts: string, known: string] {
  const { sent, budget, refused, inFlight, tookMs, trying, finding } = search
  const isKnown = finding !== null && finding.kind !== 'unknown'
  return [
    `${duration(tookMs)}, ${digits(sent)} of ${digits(budget)} calls, ${digits(refused)} got 429, ${digits(inFlight)} in flight`,
    `${trying === null ? '' : `${TRIES[trying]}; `}so far: ${isKnown ? findingWords(finding) : 'nothing is known'}`,
  ]
}
