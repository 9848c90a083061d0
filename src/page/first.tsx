// "What to do first": lines of a number and what it counts, each a link to the list of the desk.
import type { ComponentChildren } from 'preact'
import { digits } from '../domain/format.ts'
import { textOf, type Item, type List, type Text, type Tone } from '../report/document.ts'
import { Icon, type IconName } from './icons.tsx'
import { Anchor, Words } from './text.tsx'

/** In this order an editor works; what is in none of these comes after, by its own title. */
const ORDER: readonly (readonly [find: string, icon: IconName, tone: Tone, says: string])[] = [
  ['is:gap', 'gap', 'warn', 'questions not answered from the knowledge base'],
  ['is:unsupported', 'doubt', 'warn', 'answers with facts to check'],
  ['is:misfit', 'other', 'warn', 'answers from another article'],
  ['is:failed', 'cross', 'bad', 'answers without what you expect'],
  ['is:wrong', 'cross', 'bad', 'questions without the answer you expect'],
  ['is:error', 'cross', 'bad', 'questions without an answer'],
  ['change:factsChanged', 'differ', 'warn', 'answers with changed facts'],
  ['change:newlyFailing', 'cross', 'bad', 'answers that fail now'],
  ['change:lost', 'gap', 'bad', 'answers no longer from the knowledge base'],
  ['change:fixed', 'check', 'good', 'answers that pass now'],
  ['change:gained', 'check', 'good', 'answers from the knowledge base now'],
  ['articles', 'differ', 'warn', 'pairs of articles that contradict or repeat each other'],
]

export const numberOf = ({ total, items }: List): number =>
  total ?? items.reduce((sum, { count = 1 }) => sum + count, 0)

const findOf = ({ link = { find: '' } }: List): string =>
  'find' in link ? link.find : 'section' in link ? link.section : ''

export const rankOf = (list: List): number => {
  const rank = ORDER.findIndex(([find]) => find === findOf(list))
  return rank === -1 ? ORDER.length : rank
}

interface Props {
  readonly lines: readonly List[]
  readonly facts: ComponentChildren
  readonly missing: string | undefined
}

export function First({ lines, facts, missing }: Props) {
  return (
    <section class="box first" aria-labelledby="first">
      <div class="box-head">
        <h2 id="first">What to do first</h2>
        <small class="last">{facts}</small>
      </div>
      {lines.length === 0 ? (
        <p class="box-foot">Nothing to do here.</p>
      ) : (
        <ul class="rows">
          {lines.map((list) => (
            <Line list={list} />
          ))}
        </ul>
      )}
      {missing === undefined ? null : <p class="box-foot quiet">{missing}</p>}
    </section>
  )
}

const TO_DECIDE = 'Read the nearest articles and decide: one answers it, or none does'

function Line({ list }: { readonly list: List }) {
  const { title, items, link } = list
  const known = ORDER.find(([find]) => find === findOf(list))
  const [, icon, tone, says] = known ?? ['', 'chevron', 'muted', undefined]
  const find = findOf(list)
  const shownOf = ({ text, details = [] }: Item): Text =>
    find === 'is:failed' || find === 'is:wrong'
      ? (details.at(-1) ?? text)
      : find === 'is:unsupported'
        ? ([text].flat()[0] ?? '')
        : text
  const texts =
    find === 'is:gap'
      ? items.some(({ group }) => group?.reason !== '')
        ? [TO_DECIDE]
        : []
      : items.slice(0, 3).map((item) => textOf(shownOf(item), (foreign) => foreign))
  return (
    <li>
      <Anchor to={link} class="row-link">
        <Icon name={icon} class={tone} />
        <b>{digits(numberOf(list))}</b>
        <span>{says ?? <Words text={title} />}</span>
        <span class="where quiet one-line">
          <bdi>{texts.join(' · ')}</bdi>
        </span>
        <Icon name="chevron" class="chevron" />
      </Anchor>
    </li>
  )
}
