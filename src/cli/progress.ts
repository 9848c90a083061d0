// Progress of runs: a line drawn in place on a terminal, a line every few seconds elsewhere.
import { describeError, requestIdOf, statusOf } from '../domain/attempt.ts'
import type {
  AttemptEvent,
  LoadProgress,
  PaceEvent,
  Progress,
  RunEvent,
  RunProgress,
  SearchProgress,
  StartedEvent,
} from '../library/index.ts'
import { shorten, terminalText } from '../report/escape.ts'
import { digits, drawBar, duration, percent, plural, rateText } from '../domain/format.ts'
import { isFoundLimit, limitSentence } from '../domain/limit.ts'
import type { Screen } from './screen.ts'
import type { ProcessSignals } from './process.ts'

const REDRAW_MS = 200
const LINE_MS = 5000
/** A longer wait for the next call is said. */
const SOON_MS = 2000
/** A run of hours fills no log: lines are so far apart after its first minute. */
const LATER_LINE_MS = 30_000
const MINUTE_MS = 60_000
const RECENT_MS = 30_000
const SPEED_MS = 10_000
const BAR_WIDTH = 12

interface Shown {
  progress?: Progress
  /** Is a time of the run's clock, which stays even if the wall clock is set. */
  at: number
  pace?: PaceEvent
  firstLineAt?: number
  lineAt?: number
  pauseLine?: { readonly at: number; readonly done: number } | undefined
  readonly recent: { at: number; done: number; ended: number }[]
}

export function createListener(
  command: 'run' | 'load',
  isDebug: boolean,
  { screen, signals }: { readonly screen: Screen; readonly signals?: ProcessSignals | undefined },
): { readonly hear: (event: RunEvent, target?: string) => void; readonly end: () => void } {
  const targets = new Map<string, Shown>()
  const onTerminal = screen.isTerminal
  let drawn = 0
  let timer: NodeJS.Timeout | undefined
  const erase = (): void => {
    if (drawn > 0) screen.draw(`\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(drawn - 1)}`)
    drawn = 0
  }
  const lines = (): string[] =>
    [...targets].flatMap(([name, shown]) => {
      const { progress, at, pace, recent } = shown
      if (progress === undefined) return []
      const line =
        progress.of === 'run'
          ? runLine(progress, pace, recent, at)
          : progress.of === 'load'
            ? describeLoad(progress.snapshot)
            : describeSearch(progress)
      if (!onTerminal && !wantsLine(shown)) return []
      return [terminalText(targets.size > 1 ? `${name}: ${line}` : line)]
    })
  const show = (): void => {
    if (!onTerminal) return lines().forEach((line) => screen.say(`${timeOfDay(Date.now())} ${line}`))
    const columns = Math.max(20, (process.stderr.columns || 80) - 1)
    const fitting = lines().flatMap((line) => wrapParts(line, columns))
    erase()
    screen.draw(fitting.join('\n'))
    drawn = fitting.length
  }
  const end = (): void => {
    clearInterval(timer)
    erase()
  }
  const log = createLog(isDebug, screen)
  const hear = (event: RunEvent, target = ''): void => {
    if (event.kind === 'started') signals?.enter('sending')
    if (event.kind === 'reporting') signals?.enter('reporting', event.folder)
    if (screen.isJson) return log(event, target)
    if (event.kind === 'pace' || event.kind === 'progress') {
      const shown: Shown = targets.get(target) ?? { at: event.at, recent: [] }
      targets.set(target, shown)
      if (event.kind === 'pace') shown.pace = event
      else {
        shown.progress = event.progress
        shown.at = event.at
      }
      timer ??= setInterval(show, onTerminal ? REDRAW_MS : LINE_MS).unref()
      return
    }
    erase()
    if (event.kind === 'note') screen.note(event.text)
    else if (event.kind === 'started') screen.say(describeStart(command, event))
    else if (event.kind === 'reporting') end()
    else if (event.kind === 'attempt' && isDebug) screen.say(`${target} ${describeAttempt(event)}`)
  }
  return { hear, end }
}

/** Asks for a line about a pause after a minute, or when a question is done; a probe is no news. */
function wantsLine(shown: Shown): boolean {
  const { progress, at, pace, pauseLine, firstLineAt = at, lineAt = -Infinity } = shown
  if (at - firstLineAt > MINUTE_MS && at - lineAt < LATER_LINE_MS) return false
  const done = progress?.of === 'run' ? progress.done : 0
  if (pauseLine?.done === done && at - pauseLine.at < MINUTE_MS) return false
  Object.assign(shown, { firstLineAt, lineAt: at })
  shown.pauseLine = (pace?.pausedUntil ?? 0) > at ? { at, done } : undefined
  return true
}

/** Logs texts of questions and answers only when debugging. */
function createLog(isDebug: boolean, screen: Screen) {
  const shownAt = new Map<string, number>()
  return (event: RunEvent, target: string): void => {
    if (!isDebug && (event.kind === 'attempt' || event.kind === 'turn')) return
    if (event.kind === 'progress') {
      if (event.at - (shownAt.get(target) ?? 0) < LINE_MS) return
      shownAt.set(target, event.at)
    }
    const { kind, at: _at, ...fields } = event
    screen.log({ event: kind, ...(target === '' ? {} : { target }), ...fields })
  }
}

function describeStart(command: 'run' | 'load', event: StartedEvent): string {
  const { target, isSandbox, baseUrl, keyFingerprint, isResumed, turns, threads, shard } = event
  const whom = isSandbox
    ? `the sandbox at ${baseUrl}`
    : `${target === 'default' ? '' : `${terminalText(target)} at `}${baseUrl}, key ${keyFingerprint}`
  const part = shard === null ? '' : `, shard ${shard}`
  const what = `${plural(turns, 'question')} in ${plural(threads, 'conversation')}${part}`
  if (command === 'load') return `Load test of ${whom}, with ${what}`
  if (turns === 0 && !isResumed) return `Nothing to send to ${whom}: no conversation is in shard ${shard}`
  if (turns === 0) return `Nothing is left to send to ${whom}; the reports are written again`
  return `${isResumed ? 'Resuming' : 'Sending'} ${what} to ${whom}`
}

function describeAttempt(event: AttemptEvent): string {
  const { attempt, question, repeat, conversation, result, waitMs, serviceMs } = event
  const detail = result.kind === 'reply' ? result.reply.contextSource : (describeError(result) ?? '')
  const what = [result.kind, statusOf(result) ?? '', terminalText(detail.slice(0, 200))].join(' ')
  const id = requestIdOf(result)
  const named = id === undefined ? '' : `; ${terminalText(id)}`
  const which = `${terminalText(question)} repeat ${repeat} conversation ${conversation}`
  const times = `waited ${duration(waitMs)}, took ${duration(serviceMs)}`
  return `attempt ${attempt}: ${which}: ${what}; ${times}${named}`
}

const timeOfDay = (at: number): string => `${new Date(at).toISOString().slice(11, 19)}Z`

function wrapParts(line: string, columns: number): string[] {
  const wrapped: string[] = []
  for (const part of line.split(' · ')) {
    const longer = `${wrapped.at(-1)} · ${part}`
    if (wrapped.length > 0 && longer.length <= columns) wrapped[wrapped.length - 1] = longer
    else wrapped.push(shorten(wrapped.length === 0 ? part : `${' '.repeat(BAR_WIDTH)} ${part}`, columns))
  }
  return wrapped
}

const bar = (done: number, total: number): string => drawBar(total === 0 ? 1 : done / total, BAR_WIDTH)

export function runLine(
  progress: RunProgress,
  pace: PaceEvent | undefined,
  recent: Shown['recent'],
  now: number,
): string {
  const { done, total, ended, inFlight, oldestAt, nextAt = now } = progress
  const { grounded, answered, rateLimited, errors } = progress
  const until = pace?.pausedUntil ?? 0
  const isPaused = until > now
  if (isPaused) recent.length = 0
  else recent.push({ at: now, done, ended })
  const since = recent.find(({ at }) => at >= now - SPEED_MS && at < now)
  const speed =
    since === undefined
      ? []
      : [`${rateText(((ended - since.ended) * 1000) / (now - since.at), pace?.pace)} calls`]
  const cause = pace === undefined || pace.cause === 'start' ? '' : `: ${pace.cause}`
  const next = nextAt < now + SOON_MS ? [] : [`next call at ${timeOfDay(nextAt)}${cause}`]
  return [
    `${bar(done, total)} ${digits(done)}/${digits(total)}`,
    ...(isPaused
      ? [`paused until ${timeOfDay(until)}${cause}`]
      : [...speed, ...(pace === undefined ? [] : [`pace ${rateText(pace.pace)}`]), ...next]),
    ...(oldestAt === null ? [] : [`in flight ${digits(inFlight)}, oldest ${duration(now - oldestAt)}`]),
    ...(answered === 0 ? [] : [`grounded ${percent(grounded / answered)}`]),
    `429s ${digits(rateLimited)}`,
    `errors ${digits(errors)}`,
    ...timeLeft(done, total, recent, now),
  ].join(' · ')
}

/** Estimates the time left from `recent`: progress before a pause does not predict the pace after it. */
function timeLeft(done: number, total: number, recent: Shown['recent'], now: number): string[] {
  while (recent.length > 2 && (recent[0]?.at ?? now) < now - RECENT_MS) recent.shift()
  const [since] = recent
  const gained = done - (since?.done ?? done)
  if (since === undefined || gained <= 0 || done === total) return []
  return [`${duration(((now - since.at) / gained) * (total - done))} left`]
}

const describeLoad = (load: LoadProgress['snapshot']): string =>
  [
    `${bar(load.elapsedMs, load.plannedMs)} ${duration(load.elapsedMs)}`,
    ...(load.callRate === null ? [] : [`${rateText(load.callRate)} calls`]),
    `in flight ${digits(load.inFlight)}`,
    ...(load.coverage === null ? [] : [`grounded ${percent(load.coverage)}`]),
    `429s ${digits(load.refused)}`,
    `errors ${digits(load.errors)}`,
    `dropped ${digits(load.dropped)}`,
  ].join(' · ')

const describeSearch = ({ sent, budget, refused, tookMs, doing, finding }: SearchProgress): string =>
  [
    `${bar(sent, budget)} ${digits(sent)}/${digits(budget)} calls`,
    duration(tookMs),
    `429s ${digits(refused)}`,
    doing,
    // While it is unknown, its counts are those of an earlier round.
    ...(finding !== null && isFoundLimit(finding) ? [limitSentence(finding)] : []),
  ].join(' · ')
