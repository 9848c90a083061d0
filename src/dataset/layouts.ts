// The ways to read a header, in the order they are tried: results, other tools' formats, the harness's own form.
import { chooseImporter, type FormatChoice } from './formats.ts'
import { createImportedLayout } from './imported-layout.ts'
import type { ImportContext, Translator } from './importers/importer.ts'
import type { Layout, LayoutReading } from './layout.ts'
import { readNativeLayout } from './native-layout.ts'
import { readResultsLayout } from './results-layout.ts'

/** By which other tool's format the records become ours, before they are read by the layout. */
export interface Importing {
  readonly title: string
  readonly start: (context: ImportContext) => Translator
}

export type HeaderReading =
  | (LayoutReading & { readonly kind: 'faulty' })
  | { readonly kind: 'layout'; readonly layout: Layout; readonly importing: Importing | undefined }

export function readHeader(header: readonly string[], { format }: FormatChoice): HeaderReading {
  const results = format === undefined ? readResultsLayout(header) : undefined
  if (results !== undefined) return native(results)
  const importer = chooseImporter(header, format)
  if (importer === undefined) return native(readNativeLayout(header))
  const reading = importer.read(header)
  if (reading.kind === 'faulty') return reading
  const { title, start, columns } = reading
  return { kind: 'layout', layout: createImportedLayout(columns), importing: { title, start } }
}

const native = (reading: LayoutReading): HeaderReading =>
  reading.kind === 'faulty' ? reading : { ...reading, importing: undefined }
