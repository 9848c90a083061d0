// One file from its bytes to its rows: what is refused, the encoding, the separator, then record by record.
import { describeEnding, describeNul, NOT_UTF8, ONE_COLUMN } from './file-faults.ts'
import { readRecords, type CsvRecord } from './records.ts'
import { findDelimiter, NO_DELIMITER, type DelimiterFinding } from './delimiter.ts'
import { createDecoder, decodeHead } from './encoding.ts'
import { PlainText } from './plain-text.ts'
import { probeSource, type Probe } from './probe.ts'
import type { Remark } from './table-listener.ts'
import { describeError } from './read-error.ts'
import { openSource, type Source } from './source.ts'

export interface TextFile {
  readonly digest: string
  readonly encoding: string
  /** Empty for a file of one column. */
  readonly delimiter: string
  /** False where the reading had to end before the file did, for a fault that was told. */
  readonly isWhole: boolean
}

export interface FileListener {
  readonly warn: (remark: Remark) => void
  readonly fail: (remark: Remark) => void
  readonly record: (record: CsvRecord) => void
  /** Whether rows may be longer than any of a set, as answers stand in the table whose header was read. */
  readonly mayBeLong?: () => boolean
}

/** Reads one file whole; `undefined` if it is no text, or cannot be read. */
export async function readFile(path: string, listener: FileListener): Promise<TextFile | undefined> {
  const opening = await openSource(path)
  if (opening.kind === 'refused') {
    listener.fail({ message: opening.message })
    return undefined
  }
  const { source } = opening
  try {
    return await readSource(source, listener)
  } catch (error) {
    listener.fail({ message: describeError(error) })
    return undefined
  } finally {
    await source.close()
  }
}

async function readSource(source: Source, listener: FileListener): Promise<TextFile | undefined> {
  const probing = await probeSource(source)
  if (probing.kind === 'refused') {
    listener.fail({ message: probing.message })
    return undefined
  }
  const { probe } = probing
  if (probe.notUtf8Line !== undefined) listener.warn({ line: probe.notUtf8Line, message: NOT_UTF8 })
  const finding = findDelimiter(decodeHead(probe.head, probe.encoding), probe.isWhole)
  if (finding.isDoubtful) listener.warn({ message: ONE_COLUMN })
  const isWhole = await readText(source, probe, finding, listener)
  if (await source.isChanged())
    listener.fail({ message: 'the file was changed while it was read; run the command again' })
  return {
    digest: probe.digest,
    encoding: probe.encoding,
    delimiter: finding.delimiter === NO_DELIMITER ? '' : finding.delimiter,
    isWhole,
  }
}

async function readText(
  source: Source,
  probe: Probe,
  finding: DelimiterFinding,
  listener: FileListener,
): Promise<boolean> {
  const plain = new PlainText()
  const texts = async function* (): AsyncGenerator<string> {
    const decoder = createDecoder(probe.encoding)
    for await (const bytes of source.chunks(probe.start)) {
      yield plain.write(decoder.write(bytes))
      if (plain.nulLine !== undefined) return
    }
    yield plain.write(decoder.end())
    yield plain.end()
  }
  let isSkipping = finding.isNamed
  const take = (record: CsvRecord): void => {
    if (!isSkipping) listener.record(record)
    isSkipping = false
  }
  const ending = await readRecords(texts(), finding.delimiter, take, listener.mayBeLong)
  const fault = plain.nulLine === undefined ? describeEnding(ending) : describeNul(plain.nulLine)
  if (fault !== undefined) listener.fail(fault)
  return fault === undefined
}
