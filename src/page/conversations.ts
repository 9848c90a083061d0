// Rows gathered into conversations: the turns of a thread, in their order.
import type { PageRow } from '../domain/page-data.ts'

export interface Conversation {
  /** Places of its rows, in the order of its turns. Never empty. */
  readonly places: readonly number[]
}

/** In the order in which they begin. Each repeat of a run is a conversation of its own; a comparison shows one of them. */
export function conversationsOf(
  rows: readonly PageRow[],
  kind: 'run' | 'comparison',
): readonly Conversation[] {
  const found = new Map<string, number[]>()
  for (const [place, row] of rows.entries()) {
    const key = `${row.file} ${kind === 'run' ? row.repeat : ''} ${row.thread}`
    const places = found.get(key)
    if (places === undefined) found.set(key, [place])
    else places.push(place)
  }
  const turnOf = (place: number): number => rows[place]?.turn ?? 0
  return [...found.values()].map((places) => ({
    places: places.sort((some, other) => turnOf(some) - turnOf(other) || some - other),
  }))
}

/** A conversation as far as it is found: the places that are. */
export interface Found {
  readonly conversation: Conversation
  readonly places: readonly number[]
}

export const findIn = (
  conversations: readonly Conversation[],
  isFound: (place: number) => boolean,
): readonly Found[] =>
  conversations.flatMap((conversation) => {
    const places = conversation.places.filter(isFound)
    return places.length === 0 ? [] : [{ conversation, places }]
  })
