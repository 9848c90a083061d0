// An editor's marks while the page is open, kept by the browser so that a reload or a crash loses none.
import { asSaved, countUnsaved, parseMarks, printMarks, withMark, type Mark, type Marks } from './marks.ts'

export interface KeptMarks {
  readonly now: () => Marks
  readonly set: (place: number, mark: Mark) => void
  readonly setSaved: () => void
  readonly watch: (see: (marks: Marks) => void) => void
}

/** `name` is of this page's contents: marks are of its answers and no others. Where the browser keeps nothing, they stay in memory. */
export function keepMarks(name: string): KeptMarks {
  const key = `assist-harness reviews ${name}`
  const watchers: ((marks: Marks) => void)[] = []
  let marks = parseMarks(attempt(() => localStorage.getItem(key)) ?? null)
  const change = (next: Marks): void => {
    marks = next
    attempt(() =>
      next.byPlace.size === 0 ? localStorage.removeItem(key) : localStorage.setItem(key, printMarks(next)),
    )
    for (const see of watchers) see(next)
  }
  addEventListener('beforeunload', (event) => {
    if (countUnsaved(marks) === 0) return
    event.preventDefault()
    // Chrome before 119 asks only so.
    event.returnValue = true
  })
  return {
    now: () => marks,
    set: (place, mark) => change(withMark(marks, place, mark)),
    setSaved: () => change(asSaved(marks)),
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
