// The report page as a browser reads it: its text as an outline, its elements, and what it may not hold.
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import type { SafeHtml } from '../../src/report/page/html.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
export type Element = DefaultTreeAdapterTypes.Element

export const parsePage = (page: SafeHtml): DefaultTreeAdapterTypes.DocumentFragment =>
  parseFragment(page.toString())

const isElement = (node: Node): node is Element => 'tagName' in node

/** In the order of the page. */
export function elementsOf(nodes: readonly Node[]): Element[] {
  return nodes.flatMap((node) => (isElement(node) ? [node, ...elementsOf(node.childNodes)] : []))
}

export const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((one) => one.name === name)?.value

/** As it stands in the page, white space and all. */
export function textOf(node: Node | Element): string {
  if ('value' in node) return node.value
  return isElement(node) ? node.childNodes.map(textOf).join('') : ''
}

const lineOf = (node: Node): string => textOf(node).replaceAll(/\s+/g, ' ').trim()

/** The page's text, a line a heading, paragraph, item or row; pictures by what they are said to show. */
export const outlineOf = (page: SafeHtml): string => `${linesOf(parsePage(page).childNodes).join('\n')}\n`

function linesOf(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return node.nodeName === '#text' && lineOf(node) !== '' ? [lineOf(node)] : []
    const name = node.tagName
    const heading = /^h([1-6])$/.exec(name)
    if (heading !== null) return ['', `${'#'.repeat(Number(heading[1]))} ${lineOf(node)}`]
    if (name === 'svg') return pictureLines(node)
    if (name === 'tr') return [`| ${cellsOf(node).join(' | ')} |`]
    if (name === 'li') return itemLines(node)
    if (name === 'summary') return [`▸ ${lineOf(node)}`]
    if (['p', 'caption', 'figcaption', 'dt', 'dd'].includes(name)) return [lineOf(node)]
    return linesOf(node.childNodes)
  })
}

function itemLines(item: Element): string[] {
  const inner = item.childNodes.filter((node) => isElement(node) && node.tagName === 'ul')
  const own = item.childNodes.filter((node) => !inner.includes(node))
  return [
    `- ${own.map(textOf).join('').replaceAll(/\s+/g, ' ').trim()}`,
    ...linesOf(inner).map((line) => `  ${line}`),
  ]
}

const cellsOf = (row: Element): string[] =>
  row.childNodes.filter(isElement).map((cell) => {
    const picture = elementsOf(cell.childNodes).find(({ tagName }) => tagName === 'svg')
    const bar =
      picture === undefined
        ? []
        : elementsOf([picture]).filter((one) => attribute(one, 'class')?.startsWith('share'))
    return picture === undefined
      ? lineOf(cell)
      : `(${bar.map((one) => attribute(one, 'width')).join('') || 'scale'})`
  })

function pictureLines(svg: Element): string[] {
  if (attribute(svg, 'role') !== 'img') return []
  const [title, description] = ['title', 'desc'].map((name) =>
    svg.childNodes.find((node) => node.nodeName === name),
  )
  const label = title === undefined ? (attribute(svg, 'aria-label') ?? '') : lineOf(title)
  return [`[picture: ${label}${description === undefined ? '' : `: ${lineOf(description)}`}]`]
}
