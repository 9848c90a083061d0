// Files that are no text at all, told by their first bytes: workbooks above all.

const FOREIGN: readonly { readonly bytes: readonly number[]; readonly message: string }[] = [
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    message:
      'this is a workbook (Excel or OpenDocument) or another ZIP file, not CSV; save the workbook as "CSV UTF-8"',
  },
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    message: 'this is an old Excel workbook (.xls), not CSV; save it as "CSV UTF-8"',
  },
  { bytes: [0x25, 0x50, 0x44, 0x46], message: 'this is a PDF, not CSV; export its table as "CSV UTF-8"' },
  { bytes: [0x1f, 0x8b], message: 'the file is compressed (gzip); unpack it first' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], message: 'the file is compressed (Zstandard); unpack it first' },
]

export function recogniseForeign(head: Buffer): string | undefined {
  return FOREIGN.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte))?.message
}
