// The record of a search for the limit, folded into its report: one pass, as `load` does at its end and `report` again.
import type { JournalRecord } from '../../domain/journal.ts'
import { wasRefused, type LimitFinding } from '../../domain/limit.ts'
import type { FindLimitSettings, LimitReport } from '../../domain/load.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { shareOfQuota } from '../../domain/quota.ts'
import { stateAfter, type Stop } from '../../domain/stop.ts'
import { createCallAccount } from '../load/call-account.ts'
import { describeRun } from '../describe-run.ts'
import { createCallGatherer } from './gather-calls.ts'
import { inferLimit } from './infer.ts'
import { judgeSearch } from './judge-search.ts'

export type SearchManifest = Manifest & { readonly findLimit: FindLimitSettings }

export interface SearchGatherer {
  add(record: JournalRecord): void
  /** A line that cannot be read, and may have been an intent. */
  addLostIntent(): void
  /** `stop`: why it ended, where the journal may not say it. */
  finish(notes: readonly string[], stop: Stop | undefined): LimitReport
}

/** `isNarrow`: whether a finding is close enough to stop. */
export function createSearchGatherer(
  manifest: SearchManifest,
  isNarrow: (finding: LimitFinding) => boolean,
): SearchGatherer {
  const { options, findLimit } = manifest
  const gathered = createCallGatherer()
  const account = createCallAccount()
  const open = new Set<number>()
  let [sent, letThrough, refused, lastAt, sittings] = [0, 0, 0, 0, 0]
  let firstAt: number | undefined
  let latestMs: number | null = null
  let recorded: Stop | undefined

  return {
    add: (record) => {
      gathered.add(record)
      if ('at' in record) lastAt = Math.max(lastAt, record.at)
      if (record.kind === 'sitting') {
        sittings += 1
        account.sit()
      } else if (record.kind === 'intent') {
        sent += 1
        open.add(record.attempt)
        firstAt ??= record.at
        account.begin(record.attempt)
      } else if (record.kind === 'result') {
        account.settle(record.attempt, record.result, open.delete(record.attempt))
        const fate = wasRefused(record.result)
        if (fate === true) refused += 1
        else if (fate === false) letThrough += 1
        if (record.lagMs !== undefined) latestMs = Math.max(latestMs ?? 0, record.lagMs)
      } else if (record.kind === 'end') recorded = record.stop
    },
    addLostIntent: account.lose,
    finish: (notes, known) => {
      const stop = recorded ?? known
      const { seen, wallAtZero } = gathered.finish()
      const finding = inferLimit(seen, wallAtZero, { mayChange: false })
      const { usage } = account.finish()
      return {
        formatVersion: 1,
        run: describeRun(manifest, { sessions: sittings, lastAt: lastAt === 0 ? undefined : lastAt }),
        state: stateAfter(stop),
        ...judgeSearch(stop, { finding, isNarrow: isNarrow(finding), seen }, findLimit),
        search: findLimit,
        calls: { sent, letThrough, refused, lost: sent - letThrough - refused, latestMs },
        quota: { ...usage, shareOfQuota: shareOfQuota(usage.max, options.quota) },
        tookMs: firstAt === undefined ? null : lastAt - firstAt,
        finding,
        warnings: [...manifest.warnings, ...notes],
      }
    },
  }
}
