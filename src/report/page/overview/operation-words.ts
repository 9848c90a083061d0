// What the overview says of pace, limit and quota.
import { digits, plural } from '../../../domain/text.ts'
import { are } from './format.ts'

export const OPERATION_WORDS = {
  operations: {
    noPace: 'No pace was kept (--rate unlimited).',
    noPacePauses: (count: number) =>
      `No pace was kept (--rate unlimited); ${plural(count, 'pause')} in which nothing was sent ${are(count, 'was', 'were')} asked for by the endpoint.`,
    pace: 'Pace over time, calls a second',
    paceLabel: 'The pace that the harness allowed itself',
    paceDescription: (changes: number, slower: number, pauses: number, refused: number) =>
      `${plural(changes, 'setting')} of the pace over the run, ${digits(slower)} of them slower than the one before (hollow dots)` +
      (pauses === 0
        ? '.'
        : `, and ${plural(pauses, 'pause')} in which nothing was sent (shaded), ${digits(refused)} of them after a 429 (named where there is room).`),
    calls: {
      label: (seconds: string) => `Calls over time, a second, in steps of ${seconds} s`,
      description: (taken: number, refused: number, failed: number) =>
        `${plural(taken, 'call')} taken by the endpoint, ${digits(refused)} refused for going too fast (429), ${digits(failed)} without any status.`,
      taken: 'taken by the endpoint',
      refused: 'refused for going too fast (429)',
      failed: 'no status came: not connected, timed out, cut off',
      header: ['from', 'taken', 'refused (429)', 'no status'],
    },
    limitLine: (rate: string) => `- - limit found: ${rate} a second`,
    refused: '429',
    refusals: (rateLimited: number, attempts: number, share: string) =>
      rateLimited === 0
        ? `None of ${plural(attempts, 'call')} was refused for going too fast (429).`
        : `${digits(rateLimited)} of ${plural(attempts, 'call')} (${share}) ${are(rateLimited, 'was', 'were')} refused for going too fast (429).`,
    nothingSent: 'Nothing was sent.',
    noLimit: 'no limit',
    header: ['time', 'calls a second', 'why', 'closed until'],
    left: (count: number) => `${plural(count, 'more change')} of pace: see journal.ndjson`,
    quota: 'The quota account',
    quotaHeader: ['calls', 'number', 'what they are'],
    quotaRows: {
      attempts: ['sent', 'every call that was sent or begun, retries among them'],
      certain: ['certainly counted', 'an answer came back'],
      possible: ['possibly counted', 'sent, but it is not known whether they were processed'],
      notCounted: ['not counted', 'never arrived, or refused before the assistant'],
      usage: ['counted toward the quota', 'certain ones, and with the possible ones at most'],
    },
    shareRow: (share: string, allowance: string) => [
      'share of the quota',
      share,
      `of an allowance of ${allowance}`,
    ],
    use: (period: string) => `What asking this set costs in a ${period}`,
    useHeader: ['asked', 'calls', 'of the quota'],
    failing: (why: string) => `Counted is ${why}.`,
    over: (rhythms: string) => `More than the whole quota: asked ${rhythms}.`,
    assumed: 'That refused calls do not count is an assumption.',
    account: 'All figures of the run',
    accountHeader: ['figure', 'this run'],
  },
} as const
