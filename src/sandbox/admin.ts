// The admin's side, behind a key of its own and outside /api: usage, conversations, reset.
import { stringify } from 'csv-stringify/sync'
import type { Desk } from './desk.ts'
import { bearerToken } from './keys.ts'
import {
  type Call,
  CALL_OUTCOMES,
  callSchema,
  type Conversation,
  dayOf,
  type Store,
  totalUsage,
  usageByDay,
} from './ledger.ts'
import { atOnce, jsonForm, type WholeForm } from './serving/listen.ts'
import { refusalForm, type Route } from './serving/route.ts'

export function adminRoutes(desk: Desk, isAdmin: (key: string) => boolean): Route[] {
  const guarded =
    (handle: Route['handle']): Route['handle'] =>
    (call, parameter) => {
      const token = bearerToken(call.headers.authorization)
      if (token !== undefined && isAdmin(token)) return handle(call, parameter)
      const headers = { 'www-authenticate': 'Bearer' }
      return atOnce(refusalForm({ cause: 'unauthorized', message: 'The admin key is required.', headers }))
    }
  return [
    {
      method: 'GET',
      path: '/sandbox/usage',
      handle: guarded(({ query, headers }) => atOnce(usage(desk.store, query, headers.accept))),
    },
    {
      method: 'GET',
      path: '/sandbox/conversations',
      handle: guarded(({ query }) => {
        const found = listConversations(desk.store.conversations(), query)
        return atOnce(jsonForm(200, { conversations: found }))
      }),
    },
    {
      method: 'GET',
      path: '/sandbox/conversations/:id',
      handle: guarded((_, id) => {
        const found = desk.store.findConversation(id)
        const message = 'There is no such conversation.'
        return atOnce(found ? jsonForm(200, describe(found)) : refusalForm({ cause: 'not_found', message }))
      }),
    },
    {
      method: 'POST',
      path: '/sandbox/reset',
      handle: guarded(() => {
        desk.reset()
        return atOnce({ kind: 'whole', status: 204, headers: {}, body: '' })
      }),
    },
  ]
}

/** Without their turns; `?organization=` and `?endUserRef=` pick. */
function listConversations(all: Iterable<Conversation>, query: URLSearchParams): object[] {
  const [organization, endUserRef] = [query.get('organization'), query.get('endUserRef')]
  return [...all]
    .filter((one) => organization === null || one.organization === organization)
    .filter((one) => endUserRef === null || one.endUserRef === endUserRef)
    .map((one) => ({ ...describe(one), turns: one.turns.length }))
}

function describe(conversation: Conversation) {
  const time = (at: number): string => new Date(at).toISOString()
  return {
    ...conversation,
    openedAt: time(conversation.openedAt),
    turns: conversation.turns.map((turn) => ({ ...turn, at: time(turn.at) })),
  }
}

/** `?organization=`, `?from=` and `?to=` (days, both included), `?detail=calls`, `?format=csv`. */
function usage(store: Store, query: URLSearchParams, accept = ''): WholeForm {
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
