// Times of the day, as HH:MM of 24 hours.
import { BEGINS } from './places.ts'
import { END, START, type FactRule } from './rule.ts'

const HALF = '([ap])\\.? ?m\\b\\.?'
const HOUR = '(?:[01]?\\d|2[0-4])'

function timeOf(hour: string, minute = '00', half = ''): string {
  const base = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(base).padStart(2, '0')}:${minute}`
}

const rule = (words: readonly string[], pattern: string, read: FactRule['read']): FactRule => ({
  kind: 'time',
  where: { begins: BEGINS.digit, words },
  pattern: new RegExp(pattern, 'iuy'),
  read,
})

export const timeRules: readonly FactRule[] = [
  // "3 pm", "3:30 p.m.", "3-5 pm".
  rule(
    [],
    `${START}(?:(1[0-2]|0?[1-9])(?:[:.]([0-5]\\d))?(?: ?- ?| to ))?(1[0-2]|0?[1-9])(?:[:.]([0-5]\\d))? ?${HALF}${END}`,
    ([, from, fromMinute, to = '', toMinute, half]) => [
      ...(from === undefined ? [] : [timeOf(from, fromMinute, half)]),
      timeOf(to, toMinute, half),
    ],
  ),
  // "15 Uhr", "15.30 Uhr", "15 Uhr 30", "9-17 Uhr".
  rule(
    [],
    `${START}(?:(${HOUR})(?:[:.]([0-5]\\d))?(?: uhr)?(?: ?- ?| bis | und ))?(${HOUR})(?:[:.]([0-5]\\d))? ?uhr(?: ([0-5]\\d))?${END}`,
    ([, from, fromMinute, to = '', toMinute, after]) => [
      ...(from === undefined ? [] : [timeOf(from, fromMinute)]),
      timeOf(to, toMinute ?? after),
    ],
  ),
  rule(
    [],
    `(?<![\\p{N}:])(${HOUR}):([0-5]\\d)(?::([0-5]\\d))?(?![\\p{N}]|:\\d)`,
    ([, hour = '', minute, second]) => [
      timeOf(hour, second === undefined || second === '00' ? minute : `${minute ?? ''}:${second}`),
    ],
  ),
  rule(['noon', 'midday'], `${START}(?:12 )?(?:noon|midday)${END}`, () => ['12:00']),
  rule(['midnight', 'mitternacht'], `${START}(?:12 )?(?:midnight|mitternacht)${END}`, () => ['00:00']),
]
