// `load --find-limit` as a plan of `load`: what it sends at most, and its carrying out.
import { endUnreported } from '../unreported.ts'
import { describeSearch } from '../../report/limit-search-words.ts'
import { ofUnpaced, type LoadPlan } from '../load/plan-load.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { concludeSearch } from './conclude-search.ts'
import { readFindLimit } from './read-find-limit.ts'
import { sitSearch } from './sit-search.ts'

/** Throws UsageError; nothing was sent. */
export function planSearch(settings: RunSettings): LoadPlan {
  const findLimit = readFindLimit(settings)
  return {
    maxInFlight: findLimit.maxInFlight,
    describe: () => describeSearch(findLimit),
    carryOut: async (sitting, { debug = false, json = false }, signals) => {
      const unpaced = ofUnpaced(sitting.manifest, findLimit.maxInFlight)
      const options = { ...unpaced.options, maxCalls: findLimit.budget }
      const manifest = { ...unpaced, options, findLimit }
      const ended = await sitSearch({ ...sitting, manifest }, debug, signals)
      signals.asked((signal) => endUnreported(signal, [sitting.folder]))
      return concludeSearch(ended, json)
    },
  }
}
