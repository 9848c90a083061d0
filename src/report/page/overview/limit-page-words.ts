// Every English text of the section on the limit; the sentences that all reports share stand in limit-words.ts.
import { plural } from '../../../domain/text.ts'
import { duration } from '../../numbers.ts'
import { grouped } from '../../uncertain.ts'

interface Record {
  readonly calls: number
  readonly refusals: number
  readonly episodes: number
  readonly spanMs: number
}

export const LIMIT_WORDS = {
  title: "The organization's limit",
  settled: (own: string) => `What the calls show: ${own}.`,
  unsettled: (learned: string, own: string) =>
    `The run went by ${learned}. Its calls do not settle what the limit is: ${own}.`,
  tiers: 'The rule of the limit; in brackets where the truth most likely lies',
  tierHeader: ['rule', 'in the long run', 'window', 'calls at once', 'how it counts', 'times met'],
  none: '–',
  models: 'Kinds of limit that were tried on the calls, best first',
  modelHeader: ['kind', 'refusals explained', 'calls let through explained', 'not explained, weighed'],
  why: (confidence: string, reasons: string, { calls, refusals, episodes, spanMs }: Record) =>
    `Confidence is ${confidence}: ${reasons}. From ${grouped(calls)} calls in ${duration(spanMs)}, of which ${grouped(refusals)} were refused; the limit was met ${plural(episodes, 'time')}.`,
  chart: {
    window: 'Calls counted in the window when each call came',
    bucket: 'Calls taken from the bucket, and not yet gained again, when each call came',
    atOnce: 'Calls in flight when each call came',
    description: (passed: string, refused: string, allowed: string) =>
      `The line is of calls let through, the hollow dots are of refused ones. The rule foretells that the line stays at or under the ${allowed} allowed (dashed), and the dots over it: so do ${passed} let through, and ${refused} refused.`,
    left: (count: number) => `${grouped(count)} more calls of this time are not drawn.`,
    line: (allowed: string) => `- - allowed: ${allowed}`,
    header: ['time', 'counted', 'what became of the call'],
    refused: 'refused (429)',
    passed: 'let through',
  },
} as const
