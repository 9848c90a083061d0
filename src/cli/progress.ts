// Progress of runs: a line drawn in place on a terminal, a line every few seconds elsewhere.
import { digits } from '../domain/text.ts'
import type {
  LoadProgress,
  PaceEvent,
  Progress,
  RunEvent,
  RunProgress,
  SearchProgress,
} from '../library/events.ts'
import { formatPace } from '../library/limiters.ts'
import { shorten, terminalText } from '../report/escape.ts'
import { drawBar, duration, percent, perSecond } from '../report/format.ts'
import { limitSentence } from '../report/limit-document.ts'
import { draw, isTerminal, say } from './output.ts'

const REDRAW_MS = 200
const LINE_MS = 5000
/** The recent past from which the time left is estimated. */
const RECENT_MS = 30_000
const BAR_WIDTH = 12

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
  const lines = (): string[] =>
    [...targets].flatMap(([name, { progress, pace, recent }]) => {
      if (progress === undefined) return []
      const line = describe(progress, pace, recent, Date.now())
      return [terminalText(targets.size > 1 ? `${name}: ${line}` : line)]
    })
  const show = (): void => {
    if (!onTerminal) return lines().forEach(say)
    const columns = Math.max(20, (process.stderr.columns || 80) - 1)
    const fitting = lines().map((line) => shorten(line, columns))
    erase()
    draw(fitting.join('\n'))
    drawn = fitting.length
  }
  return {
    hear: (event, target) => {
      // Other events print lines of their own.
      if (event.kind !== 'pace' && event.kind !== 'progress') return erase()
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

function describe(
  progress: Progress,
  pace: PaceEvent | undefined,
  recent: Shown['recent'],
  now: number,
): string {
  switch (progress.of) {
    case 'run':
      return describeRun(progress, pace, recent, now)
    case 'load':
      return describeLoad(progress.snapshot)
    case 'search':
      return describeSearch(progress)
  }
}

const bar = (done: number, total: number): string => drawBar(total === 0 ? 1 : done / total, BAR_WIDTH)

/** Done, pace, grounded so far, 429s, errors, time left. */
export function describeRun(
  { done, total, grounded, answered, rateLimited, errors }: RunProgress,
  pace: PaceEvent | undefined,
  recent: Shown['recent'],
  now: number,
): string {
  const until = pace?.pausedUntil ?? 0
  const isPaused = until > now
  return [
    `${bar(done, total)} ${digits(done)}/${digits(total)}`,
    ...(isPaused
      ? [`paused until ${new Date(until).toISOString().slice(11, 19)}Z: ${pace?.cause}`]
      : pace === undefined
        ? []
        : [formatPace(pace.pace)]),
    ...(answered === 0 ? [] : [`grounded ${percent(grounded / answered)}`]),
    `429s ${digits(rateLimited)}`,
    `errors ${digits(errors)}`,
    ...timeLeft(done, total, recent, now, isPaused),
  ].join(' · ')
}

/** Progress before a pause does not predict the pace after it. */
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

const describeLoad = (load: LoadProgress['snapshot']): string =>
  [
    `${bar(load.elapsedMs, load.plannedMs)} ${duration(load.elapsedMs)}`,
    ...(load.callRate === null ? [] : [`${perSecond(load.callRate)} calls`]),
    `in flight ${digits(load.inFlight)}`,
    ...(load.coverage === null ? [] : [`grounded ${percent(load.coverage)}`]),
    `429s ${digits(load.refused)}`,
    `errors ${digits(load.errors)}`,
    `dropped ${digits(load.dropped)}`,
  ].join(' · ')

const describeSearch = ({ sent, budget, refused, tookMs, finding }: SearchProgress): string =>
  [
    `${bar(sent, budget)} ${digits(sent)}/${digits(budget)} calls`,
    duration(tookMs),
    `429s ${digits(refused)}`,
    // While it is unknown, its counts are those of an earlier round.
    ...(finding !== null && 'explained' in finding ? [limitSentence(finding)] : []),
  ].join(' · ')
