// An editor's marks while the page is open, each kept by the browser for itself: tabs of one page do not undo each other's.
import type { PageContents, PageRow } from '../domain/page-data.ts'
import {
  isUnsaved,
  marked,
  markName,
  parseMark,
  printMark,
  withSaved,
  type KeptMark,
  type Mark,
} from './marks.ts'

export interface KeptMarks {
  /** Of the answer at a row's place. */
  readonly at: (place: number) => KeptMark | undefined
  readonly set: (place: number, mark: Mark) => void
  /** Each marked answer once, at the first place where it stands; in the order of the places. */
  readonly all: () => readonly (readonly [place: number, mark: KeptMark])[]
  /** What a file was written with, by places as `all` has them. */
  readonly setSaved: (written: ReturnType<KeptMarks['all']>) => void
  /** The places of all rows that share the answer of one: repeats that were answered alike. */
  readonly placesWith: (place: number) => readonly number[]
  /** `see` gets the first places of the answers whose marks changed, in this tab or another. */
  readonly watch: (see: (places: readonly number[]) => void) => void
}

/**
 * By run and answer, not by page: a page that is made anew finds them again. Marks of answers that it does not hold stay
 * where they are. Where the browser keeps nothing, marks stay in memory.
 */
export function keepMarks(
  { kind, runs }: Pick<PageContents, 'kind' | 'runs'>,
  rows: readonly PageRow[],
): KeptMarks {
  const prefix = `assist-harness mark ${JSON.stringify([kind, ...runs])} `
  const places = new Map<string, number[]>()
  const names = rows.map(markName)
  for (const [place, name] of names.entries()) {
    if (name === undefined) continue
    const known = places.get(name)
    if (known === undefined) places.set(name, [place])
    else known.push(place)
  }
  const marks = new Map<string, KeptMark>()
  const watchers: ((places: readonly number[]) => void)[] = []
  const firstOf = (name: string): number => places.get(name)?.[0] ?? -1
  const tell = (some: readonly string[]): void => {
    for (const see of watchers) see(some.map(firstOf))
  }
  const hold = (name: string, mark: KeptMark | undefined): void => {
    if (mark === undefined) marks.delete(name)
    else marks.set(name, mark)
  }
  const keep = (name: string, mark: KeptMark | undefined): void => {
    hold(name, mark)
    attempt(() =>
      mark === undefined
        ? localStorage.removeItem(prefix + name)
        : localStorage.setItem(prefix + name, printMark(mark)),
    )
  }
  /** What the browser keeps under a key, if it is a mark of an answer in this page. */
  const read = (key: string): string | undefined => {
    const name = key.startsWith(prefix) ? key.slice(prefix.length) : undefined
    if (name === undefined || !places.has(name)) return undefined
    hold(name, parseMark(localStorage.getItem(key) ?? ''))
    return name
  }
  attempt(() => Object.keys(localStorage).forEach(read))
  addEventListener('storage', ({ key }) => {
    // Without a key all was cleared.
    const changed = key === null ? [...marks.keys()] : [key].flatMap((one) => read(one) ?? [])
    if (key === null) marks.clear()
    if (changed.length > 0) tell(changed)
  })
  addEventListener('beforeunload', (event) => {
    if (![...marks.values()].some(isUnsaved)) return
    event.preventDefault()
    // Chrome before 119 asks only so.
    event.returnValue = true
  })
  return {
    at: (place) => (marks.size === 0 ? undefined : marks.get(names[place] ?? '')),
    set: (place, mark) => {
      const name = names[place]
      if (name === undefined) return
      // Another tab may have saved it.
      attempt(() => read(prefix + name))
      keep(name, marked(marks.get(name), mark))
      tell([name])
    },
    all: () =>
      [...marks]
        .map(([name, mark]) => [firstOf(name), mark] as const)
        .sort(([some], [other]) => some - other),
    placesWith: (place) => places.get(names[place] ?? '') ?? [place],
    setSaved: (written) => {
      for (const [place, mark] of written) {
        const name = names[place]
        const known = name === undefined ? undefined : marks.get(name)
        if (name !== undefined && known !== undefined) keep(name, withSaved(known, mark))
      }
      tell(written.flatMap(([place]) => names[place] ?? []))
    },
    watch: (see) => watchers.push(see),
  }
}

/** Storage may be forbidden or full. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
