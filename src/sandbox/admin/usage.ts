// GET /sandbox/usage: the ledger by organization and day, or call by call, as JSON or CSV.
import { stringify } from 'csv-stringify/sync'
import { CALL_OUTCOMES, type Call } from '../ledger/call.ts'
import type { Store } from '../ledger/store.ts'
import { dayOf, totalUsage, usageByDay } from '../ledger/usage.ts'
import { jsonForm, type WholeForm } from '../serving/delivery.ts'

/** `?organization=`, `?from=` and `?to=` (days, both included), `?detail=calls`, `?format=csv`. */
export function usage(store: Store, query: URLSearchParams, accept = ''): WholeForm {
  const calls = [...pick(store.calls(), query)]
  const wantsCsv = query.get('format') === 'csv' || (!query.has('format') && accept.startsWith('text/csv'))
  if (query.get('detail') === 'calls') {
    return wantsCsv
      ? csvForm(calls.map((call) => withTime(call)))
      : jsonForm(200, { calls: calls.map(withTime) })
  }
  const days = usageByDay(calls)
  if (!wantsCsv) return jsonForm(200, { total: totalUsage(calls), days })
  return csvForm(days.map(({ outcomes, ...day }) => ({ ...day, ...outcomes })))
}

function* pick(calls: Iterable<Call>, query: URLSearchParams): Generator<Call> {
  const [organization, from, to] = [query.get('organization'), query.get('from'), query.get('to')]
  for (const call of calls) {
    const day = dayOf(call.at)
    if (organization !== null && call.organization !== organization) continue
    if ((from === null || day >= from) && (to === null || day <= to)) yield call
  }
}

const withTime = (call: Call) => ({ ...call, at: new Date(call.at).toISOString() })

const DAY_COLUMNS = ['organization', 'day', 'calls', 'counted', 'wordsIn', 'wordsOut', ...CALL_OUTCOMES]

function csvForm(rows: readonly Record<string, unknown>[]): WholeForm {
  const body = stringify([...rows], {
    header: true,
    columns: rows[0] ? Object.keys(rows[0]) : DAY_COLUMNS,
    cast: { boolean: String },
    // `endUserRef` is the caller's text, and the file will be opened in a spreadsheet.
    escape_formulas: true,
  })
  return { kind: 'whole', status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body }
}
