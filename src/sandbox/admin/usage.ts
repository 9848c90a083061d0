// GET /sandbox/usage: the ledger by organization and day, or call by call, as JSON or CSV.
import { stringify } from 'csv-stringify/sync'
import { CALL_OUTCOMES, callSchema, type Call } from '../ledger/call.ts'
import type { Store } from '../ledger/store.ts'
import { dayOf, totalUsage, usageByDay } from '../ledger/usage.ts'
import { jsonForm, type WholeForm } from '../serving/delivery.ts'

/** `?organization=`, `?from=` and `?to=` (days, both included), `?detail=calls`, `?format=csv`. */
export function usage(store: Store, query: URLSearchParams, accept = ''): WholeForm {
  const calls = [...pick(store.calls(), query)]
  const wantsCsv = query.get('format') === 'csv' || (!query.has('format') && accept.startsWith('text/csv'))
  if (query.get('detail') === 'calls') {
    const rows = calls.map((call) => ({ ...call, at: new Date(call.at).toISOString() }))
    return wantsCsv ? csvForm(rows, CALL_COLUMNS) : jsonForm(200, { calls: rows })
  }
  const days = usageByDay(calls)
  if (!wantsCsv) return jsonForm(200, { total: totalUsage(calls), days })
  const rows = days.map(({ outcomes, ...day }) => ({ ...day, ...outcomes }))
  return csvForm(rows, DAY_COLUMNS)
}

function* pick(calls: Iterable<Call>, query: URLSearchParams): Generator<Call> {
  const [organization, from, to] = [query.get('organization'), query.get('from'), query.get('to')]
  for (const call of calls) {
    const day = dayOf(call.at)
    if (organization !== null && call.organization !== organization) continue
    if ((from === null || day >= from) && (to === null || day <= to)) yield call
  }
}

const CALL_COLUMNS = Object.keys(callSchema.shape)
const DAY_COLUMNS = ['organization', 'day', 'calls', 'counted', 'wordsIn', 'wordsOut', ...CALL_OUTCOMES]

function csvForm(rows: readonly object[], columns: string[]): WholeForm {
  const body = stringify([...rows], {
    header: true,
    columns,
    cast: { boolean: String },
    // `endUserRef` is the caller's text, and the file will be opened in a spreadsheet.
    escape_formulas: true,
  })
  return { kind: 'whole', status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body }
}
