// Search, filters, order: what a person chooses, and what stands chosen.
import type { Context } from './context.ts'
import { button, element } from './element.ts'
import type { FilterKey } from './filter.ts'
import type { Chosen } from './finder.ts'
import { chosenIn, choosePresent, filterMenus } from './menus.ts'
import { isSortName, SORT_NAMES } from './sort.ts'

export interface Controls {
  readonly element: HTMLElement
  readonly show: (chosen: Chosen) => void
  readonly focusSearch: () => void
  /** After something was marked. */
  readonly recount: () => void
}

export function controls(
  { store: { rows }, speech, marks }: Context,
  choose: (chosen: Chosen) => void,
): Controls {
  const { words } = speech
  const search = element('input', {
    type: 'search',
    id: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'search-hint',
  })
  const { menus, recount } = filterMenus(rows, speech, marks)
  const hasChanges = rows.some(({ changed }) => changed !== null)
  const order = element('select', { id: 'order' })
  for (const name of SORT_NAMES)
    if (name !== 'different' || hasChanges)
      order.append(element('option', { value: name }, words.sorts[name]))

  const chosen = (): Chosen => {
    const filter: Partial<Record<FilterKey, string>> = {}
    for (const { key, select } of menus) {
      const value = chosenIn(select)
      if (value !== undefined) filter[key] = value
    }
    if (search.value.trim() !== '') filter.search = search.value
    return { filter, sort: isSortName(order.value) ? order.value : 'set' }
  }
  const say = (): void => choose(chosen())
  for (const select of [...menus.map((menu) => menu.select), order]) select.addEventListener('change', say)
  let waiting: ReturnType<typeof setTimeout> | undefined
  const sayTyped = (): void => {
    clearTimeout(waiting)
    waiting = undefined
    say()
  }
  search.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(sayTyped, 120)
  })
  // Whoever leaves the search steps on at once: a list made later would take the place away where they are.
  search.addEventListener('blur', () => {
    if (waiting !== undefined) sayTyped()
  })
  const clear = button(words.clear, () => choose({ filter: {}, sort: chosen().sort }))
  const field = (label: string, input: HTMLElement): HTMLElement =>
    element('div', { class: 'field' }, element('label', { for: input.id }, label), input)
  const form = element(
    'form',
    { class: 'controls', role: 'search', 'aria-label': words.filters },
    element(
      'div',
      { class: 'field wide' },
      element('label', { for: 'search' }, words.search),
      search,
      element('span', { class: 'muted', id: 'search-hint' }, words.searchHint),
    ),
    ...menus.map(({ label, select }) => field(label, select)),
    field(words.sort, order),
    clear,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    say()
  })
  return {
    element: form,
    show: ({ filter, sort }) => {
      for (const { key, select } of menus) choosePresent(select, filter[key], speech)
      if (search.value.trim() !== (filter.search ?? '').trim()) search.value = filter.search ?? ''
      order.value = sort
    },
    focusSearch: () => {
      search.focus()
      search.select()
    },
    recount,
  }
}
