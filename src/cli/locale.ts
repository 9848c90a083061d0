// Which separator a spreadsheet of this locale expects between the cells of a CSV file.

/**
 * `;` where the locale writes decimals with a comma, `,` elsewhere: what Excel takes from the system. The locale is that of the
 * process, as Node finds it (LC_ALL, LC_MESSAGES, LANG, or the system's settings); LC_NUMERIC, which Node passes over, goes
 * before all but LC_ALL, as POSIX has it.
 */
export function spreadsheetSeparator(env: Readonly<Record<string, string | undefined>>): ';' | ',' {
  const named = env['LC_ALL'] ? undefined : env['LC_NUMERIC']
  return decimalSign(localeTag(named)) === ',' ? ';' : ','
}

/** `de_DE.UTF-8@euro` is `de-DE`; undefined for none. */
function localeTag(name: string | undefined): string | undefined {
  const [tag = ''] = (name ?? '').split(/[.@]/)
  if (tag === '') return undefined
  return tag === 'C' || tag === 'POSIX' ? 'en-US' : tag.replaceAll('_', '-')
}

function decimalSign(tag: string | undefined): string | undefined {
  return formatFor(tag)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value
}

/** A name that is no locale counts as none. */
function formatFor(tag: string | undefined): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(tag)
  } catch {
    return new Intl.NumberFormat()
  }
}
