// Writes the number of a cell as the cell displays it, by its number format: `001`, `25 %`, `2026-11-20`.
import { format, getFormatFromId, isDateFormat } from 'numfmt'
import { readPart } from './xml.ts'

export interface Display {
  /** The `style` is the cell's index in the list of formats. Undefined: no spreadsheet can show it so. */
  readonly number: (value: number, style: number) => string | undefined
  /** Reads a date or time of ISO 8601; without a format it is shown as written. */
  readonly date: (iso: string, style: number) => string | undefined
}

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
    return { code, isPlain, isDay: isDateFormat(code) && !DURATION.test(code) }
  })
  const show = (days: number, style: number): string | undefined => {
    const found = styled[style]
    if (found === undefined || found.isPlain) return PLAIN.format(days)
    if (found.isDay && !(days >= 0 && days < MAX_DAYS)) return undefined
    try {
      return format(found.code, days, { throws: true }).trim()
    } catch {
      return undefined
    }
  }
  return {
    number: (value, style) =>
      show(uses1904 && styled[style]?.isDay === true ? value + DAYS_TO_1904 : value, style),
    date: (iso, style) => {
      const found = ISO_DATE.exec(iso)
      const [, day = '1899-12-30', time = '00:00'] = found ?? []
      const days = (Date.parse(`${day}T${time}Z`) - Date.UTC(1899, 11, 30)) / MS_PER_DAY
      if (found === null || Number.isNaN(days)) return undefined
      return styled[style]?.isPlain === false ? show(days, style) : iso.replace('T', ' ')
    },
  }
}

/** A time that has elapsed counts from no day. */
const DURATION = /\[(?:h+|m+|s+)\]/i
/** Spreadsheets end with the year 9999. */
const MAX_DAYS = 2_958_466
const MS_PER_DAY = 86_400_000
const ISO_DATE = /^(\d{4}-\d\d-\d\d)?(?:(?:^|[T ])(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|[+-]\d\d:\d\d)?)?$/
