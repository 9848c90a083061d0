// The admin routes under /sandbox, protected by the admin key: usage and conversations.
import { bearerToken, type Desk, digestKey } from './desk.ts'
import { jsonResponse, refusalResponse, type WireResponse, type HttpRoute } from './http.ts'
import { totalUsage } from './ledger.ts'

export function adminRoutes({ config, ledger }: Desk): HttpRoute[] {
  const admin = digestKey(config.adminKey)
  const guarded = (
    path: RegExp,
    handle: (parameter: string, isWhole: boolean) => WireResponse,
  ): HttpRoute => ({
    method: 'GET',
    path,
    handle({ headers, query }, parameter) {
      if (digestKey(bearerToken(headers.authorization) ?? '') === admin)
        return handle(parameter, query.get('detail') === 'calls')
      return refusalResponse({
        cause: 'unauthorized',
        message: 'The admin key is required.',
        headers: { 'www-authenticate': 'Bearer' },
      })
    },
  })
  return [
    guarded(/^\/sandbox\/usage$/, (_, isWhole) => {
      const calls = ledger.calls.map((call) => ({ ...call, at: time(call.at) }))
      return jsonResponse(200, isWhole ? { calls } : { total: totalUsage(ledger.calls) })
    }),
    guarded(/^\/sandbox\/conversations\/([^/]+)$/, (id) => {
      const found = ledger.conversations.get(id)
      if (found === undefined)
        return refusalResponse({ cause: 'not_found', message: 'Conversation not found.' })
      const turns = found.turns.map((turn) => ({ ...turn, at: time(turn.at) }))
      return jsonResponse(200, { ...found, openedAt: time(found.openedAt), turns })
    }),
  ]
}

const time = (at: number): string => new Date(at).toISOString()
