// Marks that reached the run with --reviews, and now stand in its page: they are no news, and are let go.
import type { KeptMarks } from './kept-marks.ts'
import { isKnown, NOTHING, standingMark } from './marks.ts'
import type { Store } from './store.ts'

export async function dropKnown(marks: KeptMarks, { turn }: Pick<Store, 'turn'>): Promise<void> {
  for (const [place, mark] of marks.all())
    if (isKnown(mark, standingMark((await turn(place)).review))) marks.set(place, NOTHING)
}
