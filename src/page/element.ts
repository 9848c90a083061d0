// Elements of the page: attributes and texts are set, markup is never parsed.
import { visibleText } from './visible.ts'

type Child = Node | string | undefined | false

interface Attributes {
  readonly [name: string]: string | boolean | undefined
}

/** Texts among the children are the page's own words; those of a question or an answer come as `hostileText` nodes. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    made.setAttribute(key, value === true ? '' : visibleText(value))
  }
  made.append(...children.filter((child) => child !== undefined && child !== false))
  return made
}

export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', act)
  return made
}

/** A number of nodes in the place of what an element holds. */
export const showIn = (parent: Element, ...children: readonly Child[]): void =>
  parent.replaceChildren(...children.filter((child) => child !== undefined && child !== false))

export function find(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no element "${id}"`)
  return found
}
