// The parts of a word diff, put together from pieces: no empty one, no two alike in a row, removed before added.

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

export interface PartsBuilder {
  readonly add: (kind: DiffPart['kind'], text: string) => void
  readonly parts: () => readonly DiffPart[]
}

export function partsBuilder(): PartsBuilder {
  const done: DiffPart[] = []
  const open = { same: '', removed: '', added: '' }

  /** Of a change, the white space that both sides end with is the same. */
  function endChange(): void {
    const { removed, added } = open
    const shared = sharedEnd(removed, added)
    put('removed', removed.slice(0, removed.length - shared))
    put('added', added.slice(0, added.length - shared))
    open.removed = ''
    open.added = ''
    open.same = added.slice(added.length - shared)
  }
  function put(kind: DiffPart['kind'], text: string): void {
    if (text !== '') done.push({ kind, text })
  }
  function endSame(): void {
    put('same', open.same)
    open.same = ''
  }

  return {
    add: (kind, text) => {
      if (text === '') return
      if (kind !== 'same' && open.same !== '') endSame()
      if (kind === 'same' && open.removed + open.added !== '') endChange()
      open[kind] += text
    },
    parts: () => {
      if (open.removed + open.added !== '') endChange()
      endSame()
      return done
    },
  }
}

/** How much white space two texts end with alike. */
function sharedEnd(some: string, others: string): number {
  let count = 0
  while (count < some.length && count < others.length) {
    const sign = some.charAt(some.length - 1 - count)
    if (sign !== others.charAt(others.length - 1 - count) || !/\s/.test(sign)) break
    count += 1
  }
  return count
}
