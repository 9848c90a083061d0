// The ways to read a header, in the order they are tried. Other tools' formats (`importers/`) go before the native one.
import type { LayoutReading } from './layout.ts'
import { readNativeLayout } from './native-layout.ts'
import { readResultsLayout } from './results-layout.ts'

/** `undefined`: the header is not of that kind. A kind is recognised by its whole header. */
type LayoutReader = (header: readonly string[]) => LayoutReading | undefined

const READERS: readonly LayoutReader[] = [readResultsLayout]

export function readLayout(header: readonly string[]): LayoutReading {
  for (const read of READERS) {
    const reading = read(header)
    if (reading !== undefined) return reading
  }
  return readNativeLayout(header)
}
