// Writes the number of a cell as the cell displays it, by its number format: `001`, `25 %`, `2026-11-20`.
import { format, getFormatFromId, isDateFormat } from 'numfmt'
import { readPart } from './xml.ts'

/** The `style` is the cell's index in the list of cell formats. */
export type Display = (value: number, style: number) => string

/** Built-in formats follow the settings of the reader's computer: these are dates that nobody can misread. */
const ISO: Readonly<Record<number, string>> = { 14: 'yyyy-mm-dd', 22: 'yyyy-mm-dd hh:mm:ss' }
/** The two date systems, 1900 and 1904, are so many days apart. */
const DAYS_TO_1904 = 1462
/** A number is exact to 15 digits in a workbook; cells without a format show no exponent here. */
const PLAIN = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 })

/** Undefined `styles` (the part with the number formats) means that the workbook has none. */
export async function readDisplay(
  styles: AsyncIterable<Buffer> | undefined,
  uses1904: boolean,
): Promise<Display> {
  const codes = new Map<number, string>()
  const formats: number[] = []
  let isInCells = false
  const open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
    if (name === 'cellXfs') isInCells = true
    if (name === 'xf' && isInCells) formats.push(Number(attributes['numFmtId'] ?? 0))
  }
  const close = (name: string): void => {
    if (name === 'cellXfs') isInCells = false
  }
  if (styles !== undefined) await readPart(styles, { open, close })
  const codeOf = (id: number): string => codes.get(id) ?? ISO[id] ?? getFormatFromId(id) ?? 'General'
  const styled = formats.map((id) => {
    const code = codeOf(id)
    const isPlain = /^(?:general|@|)$/i.test(code)
    return { code, isPlain, offset: uses1904 && isDateFormat(code) ? DAYS_TO_1904 : 0 }
  })
  return (value, style) => {
    const found = styled[style]
    if (found === undefined || found.isPlain) return PLAIN.format(value)
    const text = format(found.code, value + found.offset, { throws: false, invalid: '' }).trim()
    // A format that nobody can read.
    return text === '' && !HIDING.test(found.code) ? PLAIN.format(value) : text
  }
}

/** `;;;` shows nothing. */
const HIDING = /^[^0#?@a-z]*;/i
