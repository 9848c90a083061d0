// "What to do first": lines of a number and what it counts, each a link to the list of the desk.
import type { ComponentChildren } from 'preact'
import { digits } from '../domain/format.ts'
import { type Link, textOf, type Item, type List, type Text, type Tone } from '../report/document.ts'
import { Icon, type IconName } from './controls.tsx'
import { Anchor, Words } from './text.tsx'

/** An editor works in this order; any other list comes after, by its own title. */
const ORDER: readonly (readonly [find: string, icon: IconName, tone: Tone, says: string])[] = [
  ['is:gap', 'gap', 'warn', 'questions not answered from the knowledge base'],
  ['is:unsupported', 'doubt', 'warn', 'answers with facts to check'],
  ['is:misfit', 'other', 'warn', 'answers from another article'],
  ['is:failed', 'cross', 'bad', 'answers without what you expect'],
  ['is:wrong', 'cross', 'bad', 'questions without the answer you expect'],
  ['is:error', 'cross', 'bad', 'questions without an answer'],
  ['change:factsChanged', 'differ', 'warn', 'answers with changed facts'],
  ['change:newlyFailing', 'cross', 'bad', 'answers failing now'],
  ['change:lost', 'gap', 'bad', 'answers no longer from the knowledge base'],
  ['change:fixed', 'check', 'good', 'answers passing now'],
  ['change:gained', 'check', 'good', 'answers from the knowledge base now'],
  ['is:needs-review', 'note', 'warn', 'answers to review again'],
  ['articles', 'differ', 'warn', 'pairs of articles that contradict or repeat each other'],
]

export const numberOf = ({ total, items }: List): number =>
  total ?? items.reduce((sum, { count = 1 }) => sum + count, 0)

export const findOf = ({ link = { find: '' } }: List): string =>
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

export const First = ({ lines, facts, missing }: Props) => (
  <section class="box first" aria-labelledby="first">
    <div class="box-head">
      <h2 id="first">What to do first</h2>
      <small class="last">{facts}</small>
    </div>
    {lines.length === 0 ? (
      <p class="note">Nothing to do here.</p>
    ) : (
      <ul class="rows">
        {lines.map((list) => {
          const [, icon, tone, says] = ORDER[rankOf(list)] ?? ['', 'chevron', 'muted', undefined]
          const { link, title } = list
          return (
            <RowLink
              link={link}
              icon={icon}
              tone={tone}
              count={numberOf(list)}
              says={says ?? <Words text={title} />}
              where={textsOf(list).join(' · ')}
            />
          )
        })}
      </ul>
    )}
    {missing === undefined ? null : <p class="note quiet">{missing}</p>}
  </section>
)

/** Behind the number stands what to do with gaps, else the first of the list. */
function textsOf(list: List): readonly string[] {
  const find = findOf(list)
  const done = list.done === undefined ? [] : [`${digits(list.done)} done`]
  if (find === 'is:gap')
    return list.items.some(({ group }) => group?.reason !== '')
      ? [...done, 'Read the nearest articles and decide: one answers it, or none does']
      : done
  const shownOf = ({ text, details = [] }: Item): Text => {
    if (find === 'is:unsupported') return [text].flat()[0] ?? ''
    return find === 'is:failed' || find === 'is:wrong' ? (details.at(-1) ?? text) : text
  }
  return [...done, ...list.items.slice(0, 3).map((item) => textOf(shownOf(item), (foreign) => foreign))]
}

interface RowProps {
  readonly link: Link | undefined
  readonly icon: IconName
  readonly tone: Tone
  readonly count: number
  readonly says: ComponentChildren
  readonly where?: string
}

/** The whole line is the link. Of one, the first word has no `s`. */
export const RowLink = ({ link, icon, tone, count, says, where }: RowProps) => (
  <li>
    <Anchor to={link} class="row row-link">
      <Icon name={icon} class={tone} />
      <b>{digits(count)}</b>
      <span>{typeof says === 'string' && count === 1 ? says.replace(/s\b/, '') : says}</span>
      <small class="one-line">
        <bdi>{where}</bdi>
      </small>
      <Icon name="chevron" class="chevron" />
    </Anchor>
  </li>
)
