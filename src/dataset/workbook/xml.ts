// Names in a workbook's XML are without their prefix: some programs write `x:row` for `row`.
import { SaxesParser } from 'saxes'
import { damaged } from './archive.ts'

export interface ElementReader {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  /** The `text` is between the tag and the last tag before it. */
  readonly close?: (name: string, text: string) => void
}

/** Throws WorkbookError for a part that is no XML. Yields after each chunk, when its elements were read. */
export async function* readElements(
  chunks: AsyncIterable<Buffer>,
  { open, close }: ElementReader,
): AsyncGenerator<undefined> {
  const parser = new SaxesParser()
  const decoder = new TextDecoder()
  let text = ''
  parser.on('error', (error) => {
    throw damaged(error.message.replace(/\.$/, ''))
  })
  parser.on('opentag', ({ name, attributes }) => {
    text = ''
    open?.(localName(name), attributes)
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('cdata', (piece) => {
    text += piece
  })
  parser.on('closetag', ({ name }) => {
    close?.(localName(name), text)
    text = ''
  })
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield
  }
  parser.write(decoder.decode())
  parser.close()
  yield
}

export async function readPart(chunks: AsyncIterable<Buffer>, reader: ElementReader): Promise<void> {
  const reading = readElements(chunks, reader)
  while ((await reading.next()).done !== true);
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export const attributeOf = (
  attributes: Readonly<Record<string, string>>,
  wanted: string,
): string | undefined =>
  attributes[wanted] ?? Object.entries(attributes).find(([name]) => localName(name) === wanted)?.[1]

/** Decodes the signs that XML cannot hold: `_x000D_`, one with the line end behind it. */
export const decodeSigns = (text: string): string =>
  text.includes('_x')
    ? text
        .replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        )
        .replaceAll('\r\n', '\n')
    : text
