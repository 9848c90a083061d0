// A table of a document as a component, and what it shares with lists: the box, the scale, the folded rest.
import type { ComponentChildren } from 'preact'
import { digits } from '../domain/format.ts'
import { firstOf, textOf, type Bar, type Table, type Text, type Titled } from '../report/document.ts'
import { Button, Icon, Term } from './controls.tsx'
import { Anchor, Words } from './text.tsx'

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

export function Box({ block: { id, title, isMinor = false, link }, count, children }: BoxProps) {
  const [Shell, Head] = isMinor ? (['details', 'summary'] as const) : (['section', 'div'] as const)
  return (
    <Shell class="box" id={id}>
      <Head class="box-head">
        {isMinor ? <Icon name="chevron" class="turns" /> : null}
        <h2>{isMinor ? <Words text={title} /> : <Name text={title} />}</h2>
        {count === undefined ? null : (
          <Anchor to={isMinor ? undefined : link} class="number">
            {count}
          </Anchor>
        )}
      </Head>
      {children}
      {link === undefined || !('find' in link) ? null : (
        <p class="screen-only">
          <Anchor to={link}>Show these conversations</Anchor>
        </p>
      )}
    </Shell>
  )
}

/** A few short columns, whatever foreign text they hold. */
export const isSmall = ({ columns, rows }: Table): boolean =>
  columns.length < 4 &&
  rows.every(({ cells }) => cells.map((cell) => textOf(cell, () => '')).join('').length < 60)

export function TableView({ table }: { readonly table: Table }) {
  const { columns, words = 1, rows, total } = table
  const { shown, more } = firstOf(rows, MAX_ROWS, total)
  const sideOf = (index: number): string => (index < words ? '' : 'right')
  return (
    <Box block={table}>
      <div class="scroll" tabIndex={0}>
        <table class={isSmall(table) ? '' : 'two-line-rows'}>
          {columns.every((label) => label === '') ? null : (
            <thead>
              <tr>
                {columns.map((label, index) =>
                  label === '' ? (
                    <td />
                  ) : (
                    <th scope="col" class={sideOf(index)}>
                      <Name text={label} />
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
                  <Name text={first} />
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
const Name = ({ text }: { readonly text: Text }) =>
  typeof text === 'string' ? <Term label={text} shown={text} /> : <Words text={text} />

export const A_PAGE = 200

export const ShowMore = ({ count, show }: { readonly count: number; readonly show: () => void }) =>
  count <= 0 ? null : (
    <Button kind="plain" act={show}>
      {digits(count)} more
    </Button>
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
