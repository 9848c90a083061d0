// The admin's side, behind a key of its own and outside /api: usage, conversations, reset.
import type { Desk } from '../desk.ts'
import { bearerToken } from '../keys.ts'
import type { Conversation } from '../ledger/conversation.ts'
import { atOnce, jsonForm } from '../serving/delivery.ts'
import { refusalForm, type Route } from '../serving/route.ts'
import { usage } from './usage.ts'

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
