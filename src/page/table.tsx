// A table of a document as a component, and what it shares with lists: the box, the scale, the folded rest.
import type { ComponentChildren } from 'preact'
import { digits } from '../domain/format.ts'
import { firstOf, textOf, type Bar, type Table, type Text, type Titled } from '../report/document.ts'
import { Icon } from './icons.tsx'
import { Term } from './hints.tsx'
import { Anchor, titleText, Words } from './text.tsx'

export const MAX_ROWS = 500
/** The rest is folded; a rest of two is not worth it. */
export const atOnce = (all: readonly unknown[]): number => (all.length <= 8 ? all.length : 6)

/** Filled to the rate; a line shows the likely range. Attributes, since the policy forbids inline styles. */
export const Scale = ({ bar: { rate, low, high } }: { readonly bar: Bar }) => (
  <svg class="scale" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" y="4" width="100" height="4" rx="2" />
    <rect class="fill" y="4" width={percentOf(rate)} height="4" rx="2" />
    {low === undefined || high === undefined ? null : (
      <path
        class="range"
        d={`M${percentOf(low)} 6H${percentOf(high)}M${percentOf(low)} 3v6M${percentOf(high)} 3v6`}
        vector-effect="non-scaling-stroke"
      />
    )}
  </svg>
)

const percentOf = (share: number): string => (Math.min(1, Math.max(0, share)) * 100).toFixed(2)

interface BoxProps {
  readonly block: Titled
  readonly count?: string
  readonly children: ComponentChildren
}

export function Box({ block, count, children }: BoxProps) {
  const { id, title, isMinor, link } = block
  const heading = (
    <>
      <h2>{isMinor === true ? <Words text={title} /> : <Name text={title} of="box" />}</h2>
      {count === undefined ? null : (
        <Anchor to={isMinor === true ? undefined : link} class="number">
          {count}
        </Anchor>
      )}
    </>
  )
  const content = (
    <>
      {children}
      {link === undefined || !('find' in link) ? null : (
        <p class="box-foot">
          <Anchor to={link}>Show these conversations</Anchor>
        </p>
      )}
    </>
  )
  return isMinor === true ? (
    <details class="box" id={id}>
      <summary class="box-head">
        <Icon name="chevron" class="turns" />
        {heading}
      </summary>
      {content}
    </details>
  ) : (
    <section class="box" id={id}>
      <div class="box-head">{heading}</div>
      {content}
    </section>
  )
}

/** Two tables of a few short columns stand side by side, whatever foreign text they hold. */
export const isNarrow = ({ columns, rows }: Table): boolean =>
  columns.length < 4 &&
  rows.every(({ cells }) => cells.map((cell) => textOf(cell, () => '')).join('').length < 60)

const NARROW = { rows: 6, columns: 3 }

interface TableProps {
  readonly table: Table
  readonly isBeside?: boolean
}

/** Beside other blocks a table shows its first columns; paper has all of them. */
export function TableView({ table, isBeside = false }: TableProps) {
  const { narrowTitle, ...whole } = table
  const { columns, words = 1, rows, total } = whole
  if (isBeside && narrowTitle !== undefined) {
    const first = rows
      .slice(0, NARROW.rows)
      .map((row) => ({ ...row, cells: row.cells.slice(0, NARROW.columns) }))
    return (
      <>
        <div class="screen-only">
          <TableView
            table={{
              kind: 'table',
              title: narrowTitle,
              columns: columns.slice(0, NARROW.columns),
              rows: first,
            }}
          />
        </div>
        <TableView table={{ ...whole, isMinor: true }} />
      </>
    )
  }
  const { shown, more } = firstOf(rows, MAX_ROWS, total)
  const title = titleText(whole.title)
  const sideOf = (index: number): string => (index < words ? '' : 'right')
  return (
    <Box block={table}>
      <div class="scroll" tabIndex={0}>
        <table class={isNarrow(table) ? '' : 'two-line-rows'}>
          {columns.every((label) => label === '') ? null : (
            <thead>
              <tr>
                {columns.map((label, index) =>
                  label === '' ? (
                    <td />
                  ) : (
                    <th scope="col" class={sideOf(index)}>
                      <Name text={label} of={title} />
                    </th>
                  ),
                )}
              </tr>
            </thead>
          )}
          <tbody>
            {shown.map(({ cells: [first = '', ...cells], bar, tone }, row) => (
              <tr class={`${tone ?? ''} ${row >= atOnce(shown) ? 'extra' : ''}`}>
                <th scope="row">
                  <Name text={first} of={title} />
                  {bar === undefined ? null : <Scale bar={bar} />}
                </th>
                {cells.map((cell, index) => (
                  <td class={sideOf(index + 1)} data-name={textOf(columns[index + 1] ?? '', () => '')}>
                    <Words text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More hidden={shown.length - atOnce(shown)} beyond={more} />
    </Box>
  )
}

/** A name that the glossary has is explained. */
const Name = ({ text, of }: { readonly text: Text; readonly of: string }) =>
  typeof text === 'string' ? <Term label={text} shown={text} id={of} /> : <Words text={text} />

export const A_PAGE = 200

export const ShowMore = ({ count, show }: { readonly count: number; readonly show: () => void }) =>
  count <= 0 ? null : (
    <button type="button" class="button plain" onClick={show}>
      {digits(count)} more
    </button>
  )

/** When open, CSS shows the other rows. */
export const More = ({ hidden, beyond }: { readonly hidden: number; readonly beyond: number }) => (
  <>
    {hidden <= 0 ? null : (
      <details class="more">
        <summary>{hidden} more</summary>
      </details>
    )}
    {beyond <= 0 ? null : <p class="quiet">{beyond} more in the files of the run</p>}
  </>
)
