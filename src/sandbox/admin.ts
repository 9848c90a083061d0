// The admin routes under /sandbox, protected by the admin key: usage, conversations, reset.
import { stringify } from 'csv-stringify/sync'
import { bearerToken, type Desk, digestKey, resetDesk } from './desk.ts'
import {
  jsonResponse,
  refusalResponse,
  type WireResponse,
  type IncomingCall,
  type HttpRoute,
} from './http.ts'
import { type LedgerCall, type LedgerConversation, totalUsage, usageByDay } from './ledger.ts'

export function adminRoutes(desk: Desk): HttpRoute[] {
  const admin = digestKey(desk.config.adminKey)
  const guarded = (
    method: HttpRoute['method'],
    path: RegExp,
    handle: (call: IncomingCall, parameter: string) => WireResponse,
  ): HttpRoute => ({
    method,
    path,
    handle(call, parameter) {
      if (digestKey(bearerToken(call.headers.authorization) ?? '') === admin) return handle(call, parameter)
      const headers = { 'www-authenticate': 'Bearer' }
      return refusalResponse({ cause: 'unauthorized', message: 'The admin key is required.', headers })
    },
  })
  const { calls, conversations } = desk.ledger
  return [
    guarded('GET', /^\/sandbox\/usage$/, ({ query }) => usage(calls, query)),
    guarded('GET', /^\/sandbox\/conversations$/, ({ query }) => {
      const [organization, endUserRef] = [query.get('organization'), query.get('endUserRef')]
      const matching = [...conversations.values()]
        .filter((found) => organization === null || found.organization === organization)
        .filter((found) => endUserRef === null || found.endUserRef === endUserRef)
      return jsonResponse(200, {
        conversations: matching.map((found) => ({ ...describe(found), turns: found.turns.length })),
      })
    }),
    guarded('GET', /^\/sandbox\/conversations\/([^/]+)$/, (_, id) => {
      const found = conversations.get(id)
      const message = 'Conversation not found.'
      return found ? jsonResponse(200, describe(found)) : refusalResponse({ cause: 'not_found', message })
    }),
    guarded('POST', /^\/sandbox\/reset$/, () => {
      resetDesk(desk)
      return { kind: 'whole', status: 204, headers: {}, body: '' }
    }),
  ]
}

const time = (at: number): string => new Date(at).toISOString()

function describe(conversation: LedgerConversation) {
  const turns = conversation.turns.map((turn) => ({ ...turn, at: time(turn.at) }))
  return { ...conversation, openedAt: time(conversation.openedAt), turns }
}

/** Query: `organization`, `detail=calls`, `format=csv`. */
function usage(all: readonly LedgerCall[], query: URLSearchParams): WireResponse {
  const organization = query.get('organization')
  const calls = all.filter((call) => organization === null || call.organization === organization)
  const wantsCsv = query.get('format') === 'csv'
  if (query.get('detail') === 'calls') {
    const rows = calls.map((call) => ({ ...call, at: time(call.at) }))
    return wantsCsv ? csvResponse(rows) : jsonResponse(200, { calls: rows })
  }
  const days = usageByDay(calls)
  if (!wantsCsv) return jsonResponse(200, { total: totalUsage(calls), days })
  return csvResponse(days.map(({ outcomes, ...day }) => ({ ...day, ...outcomes })))
}

function csvResponse(rows: object[]): WireResponse {
  const body = stringify(rows, {
    header: true,
    cast: { boolean: String },
    // `endUserRef` is untrusted, and people open the file in a spreadsheet.
    escape_formulas: true,
  })
  return { kind: 'whole', status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body }
}
