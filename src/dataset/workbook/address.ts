// Tells a workbook from other files by its name: `set.xlsx`, or `set.xlsx#Sheet` for one of its sheets.

export interface WorkbookAddress {
  readonly file: string
  /** It is undefined for the first sheet with a header. */
  readonly sheet?: string
  /** Such a format as .xls is not read. */
  readonly isOld: boolean
}

/** Returns undefined for a file that is no workbook. */
export function findWorkbook(path: string): WorkbookAddress | undefined {
  const [, file, extension, sheet] = /^(.+\.(xlsx|xlsm|xls|xlsb|ods))(?:#(.+))?$/is.exec(path) ?? []
  if (file === undefined || extension === undefined) return undefined
  // Spreadsheets quote a name with spaces: 'My sheet'.
  const [, quoted] = /^'(.+)'$/s.exec(sheet ?? '') ?? []
  const name = quoted?.replaceAll("''", "'") ?? sheet
  return { file, ...(name !== undefined && { sheet: name }), isOld: !/^xls[xm]$/i.test(extension) }
}
