// One rule of a limit in words: so many calls a minute, a bucket, so many in flight.
import type { Estimate, LimitKind, LimitTier, LimitVariant } from '../domain/limit.ts'
import { speak, withSpan } from './uncertain.ts'

export const KIND_NAMES: Readonly<Record<LimitKind, string>> = {
  'fixed-window': 'a fixed window',
  'sliding-window': 'a sliding window',
  'token-bucket': 'a bucket',
  concurrency: 'a limit on calls in flight',
}

export const VARIANT_NAMES: Readonly<Record<LimitVariant, string>> = {
  clock: 'turns with the clock',
  free: 'turns at times of its own',
  'first-call': 'opened by the first call',
  log: 'exact',
  counter: 'counted by parts of windows',
  'log-of-all': 'refused calls count, too',
}

const UNITS = [
  { ms: 1000, name: 'second', article: 'a' },
  { ms: 60_000, name: 'minute', article: 'a' },
  { ms: 3_600_000, name: 'hour', article: 'an' },
  { ms: 86_400_000, name: 'day', article: 'a' },
] as const

/** `60 calls a minute, in windows that turn at full minutes`. */
export function ruleWords({ kind, variant, perSecond, windowMs, burst, atOnce }: LimitTier): string {
  const size = calls(burst)
  switch (kind) {
    case 'concurrency':
      return `${calls(atOnce)} in flight at once`
    case 'token-bucket': {
      const rate = perSecond === null ? 'an unknown rate' : rateWords(perSecond)
      if (burst === null) return `a bucket: ${rate}`
      if (burst.value === 1 && burst.high === 1) return `${rate}, one at a time`
      return `a bucket: ${rate}, ${withSpan(burst)} at once after a rest`
    }
    case 'fixed-window':
      return `${size} ${withinWords(windowMs)}${turnWords(variant, windowMs)}`
    case 'sliding-window': {
      const unit = unitOf(windowMs)
      const any = windowMs === null ? 'time of one length' : (unit?.name ?? timeWords(windowMs))
      return `${size} in any ${any}${variant === 'counter' ? ', counted by parts of windows' : ''}${
        variant === 'log-of-all' ? ', refused ones among them' : ''
      }`
    }
  }
}

/** `5.0 calls a second (4.9 to 5.1)`, or a minute, an hour, where that is the larger number. */
export function rateWords(perSecond: Estimate): string {
  const { value, span, unit } = speakRate(perSecond)
  return `${value} ${value === '1' ? 'call' : 'calls'} ${unit}${span === '' ? '' : ` (${span})`}`
}

export function speakRate(perSecond: Estimate): ReturnType<typeof speak> & { readonly unit: string } {
  const unit = UNITS.find(({ ms }) => (perSecond.value * ms) / 1000 >= 1) ?? UNITS[2]
  return { ...speak(perSecond, unit.ms / 1000), unit: `${unit.article} ${unit.name}` }
}

/** `5 s`, `2.5 min`. */
export function timeWords(ms: Estimate): string {
  const { value, unit } = speakTime(ms)
  return `${value} ${unit}`
}

export function speakTime(ms: Estimate): ReturnType<typeof speak> & { readonly unit: string } {
  const [size, unit] =
    ms.value < 1000
      ? ([1, 'ms'] as const)
      : ms.value < 120_000
        ? ([1000, 's'] as const)
        : ms.value < 7_200_000
          ? ([60_000, 'min'] as const)
          : ([3_600_000, 'h'] as const)
  const whole = ms.value / size
  const spoken = speak(ms, 1 / size)
  // A round window is said as people set it.
  return { ...spoken, value: Number.isInteger(whole) ? String(whole) : spoken.value, unit }
}

function calls(size: Estimate | null): string {
  if (size === null) return 'so many calls'
  const { value, span } = speak(size)
  return `${value} ${value === '1' ? 'call' : 'calls'}${span === '' ? '' : ` (${span})`}`
}

const unitOf = (window: Estimate | null) => UNITS.find(({ ms }) => ms === window?.value)

function withinWords(window: Estimate | null): string {
  const unit = unitOf(window)
  if (unit !== undefined) return `${unit.article} ${unit.name}`
  return window === null ? 'in a window' : `in ${timeWords(window)}`
}

function turnWords(variant: LimitVariant | null, window: Estimate | null): string {
  const unit = unitOf(window)
  switch (variant) {
    case 'clock':
      return unit === undefined
        ? ', in windows that turn with the clock'
        : `, in windows that turn at full ${unit.name}s`
    case 'free':
      return ', in windows that turn at times of their own'
    case 'first-call':
      return ', in windows that the first call opens'
    case 'log':
    case 'counter':
    case 'log-of-all':
    case null:
      return ''
  }
}
